import NIOCore
import ValetModel

/// Which node of a cluster the server is, and whether it has all that the others have. The kind is
/// even, so a client may skip it.
///
/// ```
/// text     the node's name
/// choice   0 current, 1 behind (varint seconds), 2 out of service (text reason)
/// ```
package struct NodeNotice: Message {
    package static let kind = FrameKind.node

    package var node: ServingNode

    package init(node: ServingNode) { self.node = node }

    package func write(into payload: inout ByteBuffer) {
        payload.writeText(node.name)
        switch node.condition {
        case .current: payload.writeByte(0)
        case .behind(let seconds):
            payload.writeByte(1)
            payload.writeCount(seconds)
        case .outOfService(let reason):
            payload.writeByte(2)
            payload.writeText(reason)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        let name = try payload.name("node name")
        let condition: ServingNode.Condition
        switch try payload.byte() {
        case 0: condition = .current
        case 1: condition = .behind(seconds: try payload.count())
        case 2:
            condition = .outOfService(
                reason: try payload.text("reason", limit: Limits.bytesPerMessage))
        case let other: throw PayloadReader.malformed("\(other) is no condition of a node")
        }
        node = ServingNode(name: name, condition: condition)
    }
}
