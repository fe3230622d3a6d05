import ValetModel
