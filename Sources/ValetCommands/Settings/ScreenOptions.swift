import ArgumentParser
import Foundation

/// What a person may choose for one screen.
struct ScreenOptions: ParsableArguments {
    @Option(help: "auto, always or never; auto heeds NO_COLOR and TERM.")
    var color: ColorChoice?

    func settings() throws -> Settings {
        var settings = try Settings.load()
        if let color { settings.color = color }
        return settings
    }
}

enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}
