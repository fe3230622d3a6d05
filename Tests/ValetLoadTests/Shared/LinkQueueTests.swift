import NIOCore
import Testing

@testable import ValetLoad

private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

private func bytes(_ count: Int) -> ByteBuffer {
    ByteBuffer(repeating: 0x41, count: count)
}

@Test func bytesArriveInOrderAfterTheDelay() {
    var queue = LinkQueue(SlowLink(delay: .milliseconds(100)))
    queue.add(ByteBuffer(string: "a"), at: start)
    queue.add(ByteBuffer(string: "b"), at: start + .milliseconds(30))
    #expect(queue.next == start + .milliseconds(100))
    #expect(queue.arrived(at: start + .milliseconds(99)).isEmpty)
    #expect(queue.arrived(at: start + .milliseconds(100)) == [ByteBuffer(string: "a")])
    #expect(queue.next == start + .milliseconds(130))
    #expect(queue.arrived(at: start + .milliseconds(200)) == [ByteBuffer(string: "b")])
    #expect(queue.next == nil && queue.byteCount == 0)
}

@Test func aLinkTakesSoManyBytesASecond() {
    var queue = LinkQueue(SlowLink(delay: .milliseconds(10), bytesPerSecond: 1_000))
    queue.add(bytes(100), at: start)
    queue.add(bytes(100), at: start)
    #expect(queue.arrived(at: start + .milliseconds(110)).count == 1)
    #expect(queue.next == start + .milliseconds(210))
    // What comes to an idle link does not wait for what was before.
    queue.add(bytes(50), at: start + .milliseconds(500))
    _ = queue.arrived(at: start + .milliseconds(500))
    #expect(queue.next == start + .milliseconds(560))
}

@Test func aSenderNoticesThatALinkIsFull() {
    var queue = LinkQueue(SlowLink(delay: .zero, bytesPerSecond: 1 << 20))
    queue.add(bytes(LinkQueue.mostBytes - 1), at: start)
    #expect(!queue.isFull)
    queue.add(bytes(1), at: start)
    #expect(queue.isFull)
    _ = queue.arrived(at: start + .seconds(1))
    #expect(!queue.isFull)
    var endless = LinkQueue(SlowLink(delay: .seconds(1)))
    endless.add(bytes(LinkQueue.mostBytes), at: start)
    #expect(!endless.isFull, "a link of any rate is never full")
}
