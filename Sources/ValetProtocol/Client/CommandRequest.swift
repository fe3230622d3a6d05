import NIOCore
import ValetModel

/// Asks for one change of a list. Sent again, it gets its first outcome.
///
/// ```
/// varint   request
/// u64 × 2  writer
/// varint   number of the writer's own, from 1
/// varint   group: the number of its first command
/// u64      epoch of the catalog that it was made with
/// text     list
/// change   see `Change.write`
/// ```
package struct CommandRequest: Message {
    package static let kind = FrameKind.command

    package var request: UInt32
    /// Of the catalog that the command was made with: its column numbers, and most row ids, mean
    /// nothing in another. It is of this sending, and does not name the command.
    package var epoch: UInt64
    package var command: Command

    package init(request: UInt32, epoch: UInt64, command: Command) {
        self.request = request
        self.epoch = epoch
        self.command = command
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        command.name.write(into: &payload)
        payload.writeVarint(command.group)
        payload.writeFixed64(epoch)
        payload.writeText(command.list)
        command.change.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        let name = try CommandName(reading: &payload)
        let group = try payload.varint()
        guard group >= 1, group <= name.number else {
            throw PayloadReader.malformed("command \(name.number) of group \(group)")
        }
        epoch = try payload.fixed64()
        command = Command(
            name: name, group: group, list: try payload.name("list name"),
            change: try Change(reading: &payload))
    }
}
