import ValetModel

/// What lies over the list, and what becomes of it.
extension App {
    var detail: DetailScreen? {
        get { layers[DetailScreen.self] }
        _modify { yield &layers[DetailScreen.self] }
    }

    var comparison: CompareScreen? {
        get { layers[CompareScreen.self] }
        _modify { yield &layers[CompareScreen.self] }
    }

    var facets: FacetScreen? {
        get { layers[FacetScreen.self] }
        _modify { yield &layers[FacetScreen.self] }
    }

    var form: FormScreen? {
        get { layers[FormScreen.self] }
        _modify { yield &layers[FormScreen.self] }
    }

    var conflict: ConflictDialog? {
        get { layers[ConflictDialog.self] }
        _modify { yield &layers[ConflictDialog.self] }
    }

    var confirmation: Confirmation? {
        get { layers[Confirmation.self] }
        _modify { yield &layers[Confirmation.self] }
    }

    var palette: Palette? {
        get { layers[Palette.self] }
        _modify { yield &layers[Palette.self] }
    }

    var wheels: WheelPicker? {
        get { layers[WheelPicker.self] }
        _modify { yield &layers[WheelPicker.self] }
    }

    var picker: RowPicker? {
        get { layers[RowPicker.self] }
        _modify { yield &layers[RowPicker.self] }
    }

    /// The form, or the one that the dialog about it holds.
    var edited: FormScreen? { form ?? conflict?.form }

    /// Closes a layer, with all that lies over it.
    mutating func close<Kind: Layer>(_ kind: Kind.Type) -> [AppAction] {
        layers.place(of: kind).map { closeLayers(from: $0) } ?? []
    }

    mutating func closeLayers(from place: Int) -> [AppAction] {
        let hadPicker = picker != nil
        layers.close(from: place)
        return hadPicker && picker == nil ? reopenList() : []
    }

    // MARK: Events

    var layerContext: LayerContext {
        LayerContext(
            size: size, milliseconds: milliseconds, keymap: options.keymap, glyphs: glyphs,
            generation: calls.generation, clock: clock)
    }

    /// - Returns: nil without layers.
    mutating func changeTop(
        _ change: (inout any Layer, LayerContext) -> [ScreenOutcome]
    ) -> [AppAction]? {
        let context = layerContext
        return layers.changeTop { change(&$0, context) }.map { run($0.result, from: $0.place) }
    }

    mutating func change<Kind: Layer>(
        _ kind: Kind.Type, _ change: (inout Kind, LayerContext) -> [ScreenOutcome]
    ) -> [AppAction] {
        let context = layerContext
        guard let place = layers.place(of: kind) else { return [] }
        return run(App.changing(&layers[kind]) { change(&$0, context) }, from: place)
    }

    mutating func changeLayers(
        _ change: (inout any Layer, LayerContext) -> [ScreenOutcome]
    ) -> [AppAction] {
        let context = layerContext
        var wanted: [(place: Int, outcomes: [ScreenOutcome])] = []
        layers.changeAll { wanted.append(($0, change(&$1, context))) }
        return wanted.flatMap { run($0.outcomes, from: $0.place) }
    }

    // MARK: The list in front

    /// The list that the server's view is of: a picker's takes the place of the one below.
    var frontList: ListScreen? { picker?.list ?? list }

    /// Its view alone: after each event a copy of the list would take longer than the event.
    var frontView: ViewState? { picker?.list.view ?? list?.view }

    mutating func changeFrontList(_ change: (inout ListScreen) -> [ScreenOutcome]) -> [AppAction] {
        if let place = layers.place(of: RowPicker.self) {
            return run(picker?.change(change) ?? [], from: place)
        }
        return run(App.changing(&list, change))
    }

    /// Changes in place what is there.
    private static func changing<Value>(
        _ value: inout Value?, _ change: (inout Value) -> [ScreenOutcome]
    ) -> [ScreenOutcome] {
        value == nil ? [] : change(&value!)
    }
}
