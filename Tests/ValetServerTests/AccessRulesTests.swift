import Foundation
import TestSupport
import Testing
import ValetModel
import ValetSecurity
import ValetStore

@testable import ValetServer

@Suite struct AccessRulesTests {
    private let folder = TemporaryFolder()

    private func rules(_ text: String) throws -> AccessRules {
        try AccessRules(file: folder.write(text, to: "access.yaml"))
    }

    private func principal(_ name: String, _ roles: [String]) throws -> Principal {
        try #require(Principal(name: name, roles: roles))
    }

    @Test func theFirstEntryThatNamesAListHolds() throws {
        let rules = try rules(
            """
            roles:
              one:
                cars: { may: [edit] }
                "*": { may: [see] }
              two:
                cars: { may: [see, add, edit, delete, act, administer] }
                boats: { may: [] }
            principals:
              gate:
                cars: { may: [add], rows: "garage = {principal}", hidden: owner }
            """)
        var access = rules.access(of: try principal("gate", ["one", "two"]))
        #expect(access["cars"]?.rights == [.see, .add])
        #expect(access["cars"]?.conditions == ["garage = gate"])
        #expect(access["cars"]?.hidden == ["owner"])
        #expect(access["boats"]?.rights == [])
        #expect(access["planes"]?.rights == .see)
        access = rules.access(of: try principal("other", ["one", "two"]))
        #expect(access["cars"]?.rights == [.see, .edit])
        access = rules.access(of: try principal("other", ["two", "one"]))
        #expect(access["cars"]?.rights == .all)
        access = rules.access(of: try principal("other", ["nothing"]))
        #expect(access["cars"] == nil && access["planes"] == nil && !access.isAdministrator)
        #expect(rules.undefinedRoles(of: try principal("other", ["one", "no"])) == ["no"])
    }

    @Test func rolesThatAreBuiltInHoldUntilAFileHasOthers() throws {
        let builtIn = AccessRules.builtIn
        func rights(_ rules: AccessRules, _ role: String) throws -> Rights? {
            rules.access(of: try principal("a", [role]))["cars"]?.rights
        }
        #expect(try rights(builtIn, "reader") == .see)
        #expect(try rights(builtIn, "writer") == [.see, .change])
        #expect(try rights(builtIn, "administrator") == .all)
        #expect(builtIn.access(of: try principal("a", ["administrator"])).isAdministrator)
        let own = try rules("roles: {reader: {cars: {may: []}}}")
        #expect(try rights(own, "reader") == [])
        #expect(try rights(own, "writer") == [.see, .change])
    }

    /// A title tells all that it is made of.
    @Test(arguments: [
        ("may: [see]", ["person", "town name"]), ("may: [see], hidden: family_name", ["town name"]),
        ("may: [see], hidden: [First Name]", ["town name"]),
        ("may: [see], hidden: born", ["person", "town name"]),
        ("may: []", ["town name"]), ("may: [see], rows: born > 1", ["town name"]),
    ])
    func titlesOfWhatIsHiddenAreNot(rule: String, titles: [String]) throws {
        let path = try folder.database(
            """
            CREATE TABLE people (
                id INTEGER PRIMARY KEY, born INTEGER, family_name TEXT, [First Name] TEXT);
            CREATE TABLE towns (name TEXT, code TEXT UNIQUE);
            CREATE TABLE bills (
                person_id INTEGER REFERENCES people, town TEXT REFERENCES towns (code));
            """)
        let whole = ServedCatalog(try Database(path: path).catalog)
        let rules = try rules("roles: {a: {people: {\(rule)}, '*': {may: [see]}}}")
        let catalog = ServedCatalog(
            try Database(path: path).catalog, whole: whole,
            for: rules.access(of: try principal("b", ["a"]))
        ) { Issue.record("\($0): \($1)") }
        let bills = try catalog.list(named: "bills").description
        #expect(bills.columns.filter { $0.keyColumn != nil }.map(\.name) == titles)
    }

    @Test func aFileThatEverybodyCanChangeIsRefused() throws {
        let file = folder.write("roles: {}", to: "access.yaml")
        #expect(chmod(file, 0o666) == 0)
        #expect(failure { try AccessRules(file: file) }?.message.contains("chmod o-w") == true)
        #expect(chmod(file, 0o664) == 0)
        #expect(failure { try AccessRules(file: file) } == nil)
    }

    @Test(arguments: [
        ("x: 1", "is not a known key"), ("roles: 1", "keys and values"),
        ("roles: {a b: {cars: {may: []}}}", "names have at most"),
        ("roles: {a: {cars: {}}}", "needs “may”"), ("roles: {a: {cars: {may: see}}}", "list"),
        ("roles: {a: {cars: {may: [look]}}}", "“look” is not a known word"),
        ("roles: {a: {cars: {may: [see], where: 1}}}", "is not a known key"),
        ("roles: {a: {'*': {may: [see], rows: ['a = 1']}}}", "name it"),
        ("roles: {a: {'*': {may: [see], hidden: [a]}}}", "name it"),
        ("roles: {a: {cars: {may: [see]}, cars: {may: []}}}", "more than once"),
        ("principals: {a: {cars: {may: [see], rows: [[1]]}}}", "must be a text"),
    ]) func aSlipIsSaidWithItsPlace(text: String, words: String) {
        let error = failure { try rules(text) }
        #expect(error?.message.contains("access.yaml”, line 1") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func aFileHasLimits() throws {
        func rows(_ count: Int) -> String {
            let conditions = Array(repeating: "'a = 1'", count: count).joined(separator: ", ")
            return "roles: {a: {cars: {may: [see], rows: [\(conditions)]}}}"
        }
        func names(_ count: Int) -> String {
            "roles:\n" + (0..<count).map { "  r\($0): {}\n" }.joined()
        }
        #expect(failure { try rules(rows(Limits.conditionsPerQuery)) } == nil)
        #expect(
            failure { try rules(rows(Limits.conditionsPerQuery + 1)) }?.code == .limitExceeded)
        // Three are built in.
        #expect(failure { try rules(names(Limits.tokens - 3)) } == nil)
        #expect(failure { try rules(names(Limits.tokens - 2)) }?.code == .limitExceeded)
    }

    @Test(arguments: [
        ("boats: {may: []}", "no list is called “boats”"),
        ("cars: {may: [see], hidden: [colour]}", "has no column “colour”"),
        ("cars: {may: [see], read-only: [colour]}", "has no column “colour”"),
        ("cars: {may: [see], rows: ['colour = red']}", "“colour = red”"),
        ("cars: {may: [see], rows: ['year = {principal}']}", "“year = {principal}”"),
        ("cars: {may: [see], rows: ['make']}", "“make”"),
    ]) func rulesAreCheckedAgainstTheFile(entry: String, words: String) throws {
        let database = try Database(path: folder.cars(3))
        let catalogs = ServedCatalogs(database, [], logger: EmbeddedConnection.logger)
        let rules = try rules("roles:\n  a:\n    \(entry)")
        let error = failure { try catalogs.check(rules) }
        #expect(error?.message.contains("line 3: roles.a") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        // What can't be enforced is not served.
        let access = rules.access(of: try principal("gate", ["a"]))
        let catalog = catalogs.catalog(for: access)
        #expect(catalog.handles.isEmpty && catalog.description.lists.isEmpty)
    }
}
