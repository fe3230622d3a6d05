import NIOCore
import ValetModel
import ValetProtocol

import struct Synchronization.Atomic

/// One connection of an attacker: sends at a rate what `AttackFrames` says, and looks at little of
/// what comes back.
final class AttackerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let interval = TimeAmount.milliseconds(5)

    private let attack: Attack
    private let hello: Hello
    private var frames: AttackFrames
    private let framesPerSecond: Int
    private var received = ByteBuffer()
    private var timer: RepeatedTask?
    private var last = NIODeadline.now()
    /// Frames that are due.
    private var due = 0.0
    private let counts: AttackCounts

    init(
        _ attack: Attack, hello: Hello, frames: AttackFrames, framesPerSecond: Int,
        counts: AttackCounts
    ) {
        (self.attack, self.hello, self.frames) = (attack, hello, frames)
        (self.framesPerSecond, self.counts) = (framesPerSecond, counts)
    }

    func channelActive(context: ChannelHandlerContext) {
        var bytes = context.channel.allocator.buffer(capacity: 256)
        hello.encode(into: &bytes)
        guard attack == .hellos else {
            return context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
        counts.frames.add(1, ordering: .relaxed)
        bytes.moveWriterIndex(to: bytes.readableBytes / 2)
        context.writeAndFlush(wrapOutboundOut(bytes))
            .whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { timer?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        var credit = 0
        do {
            while let frame = try Frame(
                takingFrom: &received, payloadLimit: Limits.bytesPerServerFrame)
            {
                switch FrameKind(rawValue: frame.kind) {
                case .welcome:
                    frames.epoch = try Welcome(frame: frame).epoch
                    begin(context)
                case .writerAnswer: frames.writer = try WriterAnswer(frame: frame).writer
                case .page: credit += Frame.headerBytes + frame.payload.readableBytes
                case .error: counts.refused.add(1, ordering: .relaxed)
                default: break
                }
            }
        } catch {
            return context.close(promise: nil)
        }
        received.discardReadBytes()
        guard credit > 0 else { return }
        var answer = context.channel.allocator.buffer(capacity: 16)
        Credit(byteCount: credit).encode(into: &answer)
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }

    private func begin(_ context: ChannelHandlerContext) {
        if attack == .unread {
            context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }
        last = .now()
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(
            initialDelay: .zero, delay: Self.interval
        ) { _ in
            let (this, context) = this.value
            this.send(context)
        }
    }

    private func send(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        due += Double((now - last).nanoseconds) / 1e9 * Double(framesPerSecond)
        last = now
        // What the server does not take is not sent later.
        guard context.channel.isWritable else { return due = 0 }
        var bytes = context.channel.allocator.buffer(capacity: 4_096)
        while due >= 1, bytes.readableBytes < 1 << 16 {
            let before = bytes.writerIndex
            frames.write(into: &bytes)
            if bytes.writerIndex > before { counts.frames.add(1, ordering: .relaxed) }
            due -= 1
        }
        due = min(due, 1)
        if bytes.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
    }
}

/// What the connections of an attacker have done.
final class AttackCounts: Sendable {
    let frames = Atomic(0)
    let refused = Atomic(0)
    /// Connections that the server has ended.
    let cutOff = Atomic(0)
}
