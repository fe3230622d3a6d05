import ValetModel
Limits.checkRelations()
