import ValetCluster
import ValetModel
import ValetProtocol
import ValetStore

/// Carries out the commands that other nodes forward to this one, for the stations that are
/// connected there, and as these may.
struct ForwardedCommands: Sendable {
    let writer: FileWriter
    let catalogs: ServedCatalogs
    let authenticator: Authenticator?

    func callAsFunction(_ question: [UInt8], _ answer: @escaping @Sendable ([UInt8]) -> Void) {
        do throws(ValetError) {
            let command = try ForwardedCommand(question)
            let order = try order(command)
            // No connection of this server has such a number.
            let owner = WorkOwner(
                number: command.station.id.low | 1 << 63, principal: command.principal)
            writer.submit(order, for: owner) { result in
                let outcome = result.flatMap { result -> Result<Outcome, ValetError> in
                    guard case .outcome(let outcome) = result else {
                        return .failure(ValetError(.unexpected, "a command without an outcome"))
                    }
                    return .success(outcome)
                }
                answer(ForwardedAnswer(outcome).bytes)
            }
        } catch {
            answer(ForwardedAnswer(.failure(error)).bytes)
        }
    }

    private func order(_ command: ForwardedCommand) throws(ValetError) -> WriterOrder {
        guard command.catalog == writer.database.catalogDigest else {
            throw ValetError(
                .catalogChanged,
                "the nodes of the cluster have different catalogs: give them all the same")
        }
        var access: PrincipalAccess?
        if let authenticator {
            guard let principal = command.principal,
                let known = authenticator.access(ofPrincipal: principal)
            else { throw Authenticator.refusal }
            access = known
        }
        var (resolved, _) = try ListCommand.resolving(
            command.request, from: command.station, in: catalogs.catalog(for: access),
            isCurrent: command.isCurrent)
        // It goes no further.
        resolved.asked = nil
        return .apply(resolved)
    }
}
