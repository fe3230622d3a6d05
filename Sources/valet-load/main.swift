import Foundation
import ValetLoad
import ValetModel

Limits.checkRelations()
exit(await LoadProgram.run(Array(CommandLine.arguments.dropFirst())))
