import ValetSecurity

/// Somebody whose token or key is known.
struct Visitor: Equatable, Sendable {
    let principal: Principal
    let proof: Proof
    let access: PrincipalAccess
}
