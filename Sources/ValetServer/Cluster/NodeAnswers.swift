import ValetCluster
import ValetModel
import ValetProtocol
import ValetStore

/// Answers what other nodes ask this one: it carries out their commands, for the stations that are
/// connected there, and as these may; it gives copies of its file; and it lets others lead.
struct NodeAnswers: Sendable {
    let writer: FileWriter
    let catalogs: ServedCatalogs
    let authenticator: Authenticator?
    let copies: NodeCopies

    func callAsFunction(_ question: [UInt8], _ answer: @escaping @Sendable ([UInt8]) -> Void) {
        do throws(ValetError) {
            switch try NodeQuestion(question) {
            case .command(let command): carryOut(command, answer)
            case .copy(let place):
                let known = writer.node?.status.place ?? 0
                let offered = copies.offer(behind: place, at: known)
                answer(NodeAnswer(offered.map { OfferedCopy($0) }).bytes)
            case .stepDown:
                writer.node?.stepDown()
                answer(NodeAnswer(.success(Accepted())).bytes)
            case .blocks(let digest, let first):
                copies.read(digest, from: first) {
                    answer(NodeAnswer($0.map { CopiedBlocks($0) }).bytes)
                }
            }
        } catch {
            answer(NodeAnswer<Outcome>(.failure(error)).bytes)
        }
    }

    private func carryOut(
        _ command: ForwardedCommand, _ answer: @escaping @Sendable ([UInt8]) -> Void
    ) {
        do throws(ValetError) {
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
                answer(NodeAnswer(outcome).bytes)
            }
        } catch {
            answer(NodeAnswer<Outcome>(.failure(error)).bytes)
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
