import ValetSecurity

/// Somebody whose token is known.
struct Visitor: Equatable, Sendable {
    let principal: Principal
    let token: TokenHash
    let access: PrincipalAccess
}
