import ValetCommands

// Where it is installed, `valetd` is a link to it: all but a name of theirs is the same.
CommandRunner.run(
    CommandRunner.isCalled("valetd") ? ValetdCommand.self : ValetCommand.self)
