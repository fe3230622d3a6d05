import ValetModel

/// Presence: the person's own, and that of others.
extension App {
    package var presence: Presence {
        guard let list else { return Presence(list: "") }
        let name = list.list.name
        if let form { return Presence(list: form.list.name, rowID: form.rowID, activity: .edits) }
        return Presence(list: name, rowID: detail?.row.id ?? list.cursor.rowID)
    }

    /// The others in the list that is shown; the newest news may be of another list.
    private var othersHere: [StationPresence] {
        others.filter { $0.presence.list == (form?.list ?? list?.list)?.name }
    }

    /// The names of the stations, without duplicates.
    var namesHere: [String] {
        var names: [String] = []
        for other in othersHere {
            let name = Self.name(of: other)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The names of the others that edit a row.
    func editors(of rowID: Int64?) -> [String] {
        guard let rowID else { return [] }
        return othersHere.filter {
            $0.presence.rowID == rowID && $0.presence.activity == .edits
        }.map(Self.name)
    }

    /// The signs of rows that others are on.
    var visitors: [Int64: RowVisitors] {
        var visitors: [Int64: RowVisitors] = [:]
        for other in othersHere {
            guard let rowID = other.presence.rowID else { continue }
            visitors[rowID, default: RowVisitors()].add(
                Self.name(of: other), other.presence.activity)
        }
        return visitors
    }

    /// Lists the others; choosing one goes to its row.
    mutating func showOthers() {
        guard let list, !othersHere.isEmpty else {
            message = "Nobody else is here"
            return
        }
        palette = Palette(
            title: "Who is here",
            items: othersHere.map { other in
                Palette.Item(
                    keys: Self.name(of: other), title: list.place(of: other.presence),
                    choice: .goToRow(other.presence.rowID))
            })
    }

    private static func name(of other: StationPresence) -> String {
        other.station.isEmpty ? "somebody" : other.station
    }
}

/// The others on a row.
struct RowVisitors: Hashable, Sendable {
    private var names: [String] = []
    private var isEdited = false

    /// Puts those who edit first.
    mutating func add(_ name: String, _ activity: Presence.Activity) {
        switch activity {
        case .looks: names.append(name)
        case .edits:
            names.insert(name, at: 0)
            isEdited = true
        }
    }

    /// `●bo editing`, `●ana +2`
    func text(_ glyphs: Glyphs) -> String {
        guard let first = names.first else { return "" }
        var text = glyphs.live + glyphs.shortName(first)
        if isEdited { text += " editing" }
        if names.count > 1 { text += " +\(names.count - 1)" }
        return text
    }
}

extension Glyphs {
    /// A station's name where there is little room.
    func shortName(_ name: String) -> String {
        let longest = 12
        return name.count <= longest ? name : name.prefix(longest - 1) + ellipsis
    }
}

extension ListScreen {
    fileprivate func place(of presence: Presence) -> String {
        let edits = presence.activity == .edits
        guard let rowID = presence.rowID else { return edits ? "adds a row" : "looks at the list" }
        let verb = edits ? "edits" : "looks at"
        guard let row = held.row(withID: rowID) else { return "\(verb) row \(rowID)" }
        let title = name(of: row)
        return "\(verb) \(glyphs.quoted(title))"
    }
}
