import ValetCommands

CommandRunner.run(ValetdCommand.self)
