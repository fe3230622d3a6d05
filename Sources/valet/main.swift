import ValetCommands

await CommandRunner.run(ValetCommand.self)
