import ValetFetch

FetchProgram.run(Array(CommandLine.arguments.dropFirst()))
