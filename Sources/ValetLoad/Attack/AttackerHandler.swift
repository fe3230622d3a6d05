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
    /// Between two bytes of one who is slow.
    private static let pause = TimeAmount.seconds(1)

    private let attack: Attack
    private let hello: Hello
    private let isSlowToGreet: Bool
    private var frames: AttackFrames
    private let framesPerSecond: Int
    private var received = ByteBuffer()
    private var timer: RepeatedTask?
    private var last = NIODeadline.now()
    /// Frames that are due.
    private var due = 0.0
    /// What one who is slow has yet to send of a frame.
    private var rest = ByteBuffer()
    private let counts: AttackCounts

    init(
        _ attack: Attack, hello: Hello, isSlowToGreet: Bool = false, frames: AttackFrames,
        framesPerSecond: Int, counts: AttackCounts
    ) {
        (self.attack, self.hello, self.frames) = (attack, hello, frames)
        self.isSlowToGreet = isSlowToGreet
        (self.framesPerSecond, self.counts) = (framesPerSecond, counts)
    }

    func channelActive(context: ChannelHandlerContext) {
        var bytes = context.channel.allocator.buffer(capacity: 256)
        hello.encode(into: &bytes)
        if isSlowToGreet {
            counts.frames.add(1, ordering: .relaxed)
            rest = bytes
            return trickle(context)
        }
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

    /// Sends a byte now, and then one a second: a frame after the other, as long as the server lets
    /// it.
    private func trickle(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(
            initialDelay: .zero, delay: Self.pause
        ) { _ in
            let (this, context) = this.value
            if this.rest.readableBytes == 0 {
                this.counts.frames.add(1, ordering: .relaxed)
                this.frames.write(into: &this.rest)
            }
            guard let byte = this.rest.readSlice(length: 1) else { return }
            context.writeAndFlush(this.wrapOutboundOut(byte), promise: nil)
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        if attack == .slow { return trickle(context) }
        if [.unread, .deaf].contains(attack) {
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
        while due >= 1, bytes.readableBytes < 1 << 16, !frames.isOver {
            let before = bytes.writerIndex
            frames.write(into: &bytes)
            if bytes.writerIndex > before { counts.frames.add(1, ordering: .relaxed) }
            due -= 1
        }
        if frames.isOver { timer?.cancel() }
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
