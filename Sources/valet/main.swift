import ValetCommands
import ValetFetch

// Where it is installed, `valetd` and `valet-fetch` are links to it, so that Swift's runtime, most
// of each, is there once.
if CommandRunner.isCalled("valet-fetch") {
    FetchProgram.run(Array(CommandLine.arguments.dropFirst()))
}
CommandRunner.run(
    CommandRunner.isCalled("valetd") ? ValetdCommand.self : ValetCommand.self)
