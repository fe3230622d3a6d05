import Testing

@testable import ValetTerminal

/// The stack of what lies over the list.
@Suite struct LayersTests {
    private var stack: Layers {
        var layers = Layers()
        layers[FormScreen.self] = FormScreen(
            .add, of: PlainCars.cars, glyphs: Glyphs(isASCII: true))
        layers[Palette.self] = Palette(title: "one", items: [])
        layers[ValetTerminal.Confirmation.self] = question
        return layers
    }

    private let question = ValetTerminal.Confirmation(
        question: "?", keep: "Keep", act: "Act", doing: .discardForm)

    private func names(_ layers: Layers) -> [String] { layers.all.map { "\(type(of: $0))" } }

    @Test func aNewOneComesOnTop() {
        #expect(names(stack) == ["FormScreen", "Palette", "Confirmation"])
        #expect(stack.top is ValetTerminal.Confirmation)
    }

    @Test func anotherOfItsKindTakesItsPlace() {
        var layers = stack
        layers[Palette.self] = Palette(title: "two", items: [])
        #expect(names(layers) == ["FormScreen", "Palette", "Confirmation"])
        #expect(layers[Palette.self]?.title == "two")
    }

    @Test func oneThatGoesTakesAllOverItAlong() {
        var layers = stack
        layers[Palette.self] = nil
        #expect(names(layers) == ["FormScreen"])
        layers[Palette.self] = nil
        #expect(names(layers) == ["FormScreen"])
        layers.close(from: 7)
        layers.close(from: 0)
        #expect(layers.isEmpty && layers.top == nil && layers.shown.isEmpty)
    }

    @Test func aReplacedOneTakesAllOverItAlong() {
        var layers = stack
        layers.replace(FormScreen.self, with: Palette(title: "three", items: []))
        #expect(names(layers) == ["Palette"])
    }

    @Test func aTypedTextIsKept() {
        var layers = Layers()
        layers[Palette.self] = Palette(title: "one", items: [])
        layers[ValetTerminal.Confirmation.self] = question
        layers[FormScreen.self] = FormScreen(
            .add, of: PlainCars.cars, glyphs: Glyphs(isASCII: true))
        layers.keepEdits()
        #expect(names(layers) == ["Confirmation", "FormScreen"])
    }

    @Test func aLayerUnderAFullScreenIsNotDrawn() {
        var layers = Layers()
        layers[Palette.self] = Palette(title: "one", items: [])
        layers[FormScreen.self] = FormScreen(
            .add, of: PlainCars.cars, glyphs: Glyphs(isASCII: true))
        layers[ValetTerminal.Confirmation.self] = question
        #expect(layers.shown.map { "\(type(of: $0))" } == ["FormScreen", "Confirmation"])
    }
}
