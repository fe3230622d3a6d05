import TestSupport
import ValetModel
import ValetSecurity
import ValetServer

@testable import ValetClient

/// A server of cars, some of which are of the garage of the station `a`, and what stations may do.
struct House {
    static let rules = """
        roles:
          attendant:
            cars:
              may: [see, add, edit]
              rows: ["garage = {principal}"]
              hidden: [owner, price]
              read-only: plate
          drop:
            cars: { may: [add] }
          checker:
            cars: { may: [act, delete] }
        principals:
          office:
            "*": { may: [see, add, edit, delete, act, administer] }
        """

    let server: TestServer
    let folder: TemporaryFolder
    let tokens: [String: AccessToken]

    func station(_ name: String) async throws -> ValetStation {
        let token = try tokens[name] ?? folder.token(for: name, ["attendant"])
        let port = server.port
        // The server sees a new token within a second. It lets nobody wait while others are in.
        while true {
            do {
                return try await ValetStation.connect(backOff: BackOff(first: 0.001)) {
                    () throws(ValetError) in
                    try await ValetConnection.connect(
                        host: "127.0.0.1", port: port, station: TestServer.station,
                        credential: .token(token))
                }
            } catch {
                guard error.code == .unauthenticated else { throw error }
            }
        }
    }

    private static func database(in folder: TemporaryFolder) throws -> String {
        let path = try folder.database(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, owner TEXT, garage TEXT, make TEXT,
                plate TEXT UNIQUE, price REAL CHECK (price >= 0), washed BOOLEAN);
            CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO cars SELECT i, 'Owner ' || i, CASE i % 3 WHEN 0 THEN 'a' ELSE 'b' END,
                'Make ' || (i % 7), 'P' || i, i * 10.5, i % 2 FROM n;
            INSERT INTO staff VALUES (1, 'Ada');
            """)
        folder.write(rules, to: "access.yaml")
        return path
    }

    /// - Parameter role: of the station `a`.
    static func serve(
        in folder: TemporaryFolder, as role: String, _ body: (House) async throws -> Void
    ) async throws {
        let path = try database(in: folder)
        let tokens = try ["a": [role], "office": []].map { name, roles in
            (name, try folder.token(for: name, roles))
        }
        let server = try await TestServer(path) {
            $0.principalsPath = folder.principalsPath
            $0.accessPath = folder.file("access.yaml")
        }
        try await body(
            House(
                server: server, folder: folder, tokens: Dictionary(uniqueKeysWithValues: tokens)))
        await server.server.stop()
    }
}
