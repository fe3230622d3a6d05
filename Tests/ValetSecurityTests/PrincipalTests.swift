import Testing
import ValetModel
import ValetSecurity

@Suite struct PrincipalTests {
    private func principal(_ name: String) throws -> Principal {
        try #require(Principal(name: name, roles: ["writer"]))
    }

    private let desk = Station(name: "desk", id: StationID(high: 1, low: 2))

    @Test func namesAreShortAndPlain() {
        let longest = String(repeating: "n", count: 64)
        for name in ["a", "Gate-1_b.c", "0", longest] {
            #expect(Principal(name: name, roles: []) != nil)
            #expect(Principal(name: "a", roles: [name]) != nil)
        }
        for name in ["", longest + "n", "a b", "a/b", "ä", "a\n", "a,b", "a\u{301}", "#a\0"] {
            #expect(Principal(name: name, roles: []) == nil, "\(name)")
            #expect(Principal(name: "a", roles: [name]) == nil, "\(name)")
        }
        #expect(Principal(name: "a", roles: Array(repeating: "r", count: 16)) != nil)
        #expect(Principal(name: "a", roles: Array(repeating: "r", count: 17)) == nil)
    }

    @Test func aStationIsOfItsPrincipal() throws {
        let (a, b) = (try principal("a"), try principal("b"))
        #expect(a.binding(desk) == a.binding(desk))
        let stations = [
            a.binding(desk), b.binding(desk),
            a.binding(Station(name: "desk", id: StationID(high: 2, low: 1))),
            a.binding(Station(name: "desk", id: StationID(high: 1, low: 3))), desk,
        ]
        #expect(Set(stations.map(\.id)).count == stations.count)
        // Other roles, or a further token, make nobody else of it.
        let later = try #require(Principal(name: "a", roles: ["reader"]))
        #expect(later.binding(desk) == a.binding(desk))
    }

    /// The id outlives the server, so how it is made can't change.
    @Test func itsIDLasts() throws {
        let id = try principal("gate-a").binding(desk).id
        // The first 16 bytes of the SHA-256 of the name and the id, little-endian.
        #expect(id == StationID(high: 0x9039_3A71_0E0D_2AE5, low: 0x63BF_3F40_3740_5BDB))
    }

    @Test func itsNameIsThePrincipals() throws {
        let a = try principal("a")
        func name(_ own: String) -> String { a.binding(Station(name: own, id: desk.id)).name }
        #expect(name("") == "a" && name("a") == "a")
        #expect(name("desk") == "a/desk" && name("b/desk") == "a/b/desk" && name("b") == "a/b")
        let long = name(String(repeating: "ä", count: 512))
        #expect(long.hasPrefix("a/ä") && long.utf8.count == Limits.bytesPerName)
    }
}
