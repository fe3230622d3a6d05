import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetSecurity
import ValetTerminal

struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Make a certificate for a private network.",
        discussion: """
            For servers that no public authority vouches for. Stations know such a server by its \
            key (valet trust), or have a copy of the certificate (--ca). A key that is there \
            already is used again, so that the stations still know the server.

              valetd certificate cars.example.lan 10.0.0.5
              valetd serve cars.sqlite --listen 0.0.0.0:7425 --certificate valetd.pem --key \
            valetd.key
            """)

    @Argument(help: "The host names and addresses that stations connect to.")
    var names: [String]

    @Option(help: "The file for the certificate.", completion: .file())
    var certificate = "valetd.pem"

    @Option(help: "The file for the key, which must be kept secret.", completion: .file())
    var key = "valetd.key"

    @Option(help: "For how many days it holds.")
    var days = 825

    @Flag(help: "Replace the certificate that is there.")
    var renew = false

    func validate() throws {
        guard (1...36_500).contains(days) else {
            throw ValidationError("--days takes 1 to 36500.")
        }
        guard certificate != key else {
            throw ValidationError("--certificate and --key are two files.")
        }
        guard names.count <= 100 else { throw ValidationError("At most 100 names fit.") }
    }

    func run() throws {
        guard renew || !FileManager.default.fileExists(atPath: certificate) else {
            throw CommandFailure(
                .usage, "“\(certificate)” is there already: --renew replaces it")
        }
        if !FileManager.default.fileExists(atPath: key) { try storeKey() }
        let text = try CertificateMaker.makeCertificate(names: names, keyPath: key, days: days)
        do {
            try Data(text.utf8).write(to: URL(filePath: certificate), options: .atomic)
        } catch {
            throw CommandFailure(
                .failed, "“\(certificate)” can't be written: \(reason(error))")
        }
        let shown = try ServerCertificate(path: certificate, keyPath: key).shown
        let server = ServerAddress(
            host: names[0], port: ValetConnection.standardPort, isEncrypted: true)
        StandardStreams.say(
            Sanitizer().lines(
                of: """
                    certificate  \(certificate), until \(shown.lastDay)
                    key          \(key)
                    stations     valet trust \(server) \(shown.key)

                    """), on: STDOUT_FILENO)
    }

    /// Nobody else may read it, not even for a moment.
    private func storeKey() throws {
        do throws(SystemError) {
            let file = try OpenFile(key, O_WRONLY | O_CREAT | O_EXCL)
            try file.write(CertificateMaker.makeKey().utf8)
            try file.synchronize()
        } catch {
            throw CommandFailure(.failed, "“\(key)” can't be written: \(error)")
        }
    }
}
