import ValetCommands

await CommandRunner.run(ValetdCommand.self)
