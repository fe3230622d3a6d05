import ValetCommands

CommandRunner.run(ValetCommand.self)
