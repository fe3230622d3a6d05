/// What the sequences of xterm, VTE, tmux, rxvt and the Linux console mean.
enum KeySequence {
    enum Meaning {
        case event(InputEvent)
        case beginPaste
        case oldMouse
        /// What the terminal is (DA1).
        case identity
        case unknown
    }

    /// `ESC [ parameters final`.
    static func meaning(parameters: [UInt8], final: UInt8) -> Meaning {
        if parameters.first == UInt8(ascii: "<") {
            guard let mouse = mouse(parameters.dropFirst(), final: final) else { return .unknown }
            return .event(.mouse(mouse))
        }
        if parameters.first == UInt8(ascii: "?") {
            if final == UInt8(ascii: "c") { return .identity }
            // Mode 2026 is known: set or not set.
            let isKnown = ["?2026;1$", "?2026;2$"].contains { parameters.elementsEqual($0.utf8) }
            return isKnown && final == UInt8(ascii: "y") ? .event(.synchronizedOutput) : .unknown
        }
        if parameters.first == UInt8(ascii: "[") {
            let isFunction = (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(final)
            return isFunction ? .event(.key(.function(Int(final) - 0x40))) : .unknown
        }
        guard let numbers = numbers(parameters[...]) else { return .unknown }
        let modifiers = numbers.count > 1 ? numbers[1] : 1
        if final == UInt8(ascii: "~") {
            if numbers.first == 200 { return .beginPaste }
            return tilde(numbers.first ?? 0).map { .event(.key($0)) } ?? .unknown
        }
        if final == UInt8(ascii: "M"), parameters.isEmpty { return .oldMouse }
        // With modifiers the first number is 1; else it is an answer, such as the cursor's place.
        guard numbers.count < 2 || numbers[0] == 1 else { return .unknown }
        return key(final: final, modifiers: modifiers).map { .event(.key($0)) } ?? .unknown
    }

    /// Keys named by a letter, behind `ESC [` and `ESC O` alike. `modifiers` is 1 plus a bit each
    /// for shift, alt and control; only shift makes another key.
    static func key(final: UInt8, modifiers: Int) -> Key? {
        let isShifted = modifiers == 2
        switch final {
        case UInt8(ascii: "A"): return isShifted ? .shiftUp : .up
        case UInt8(ascii: "B"): return isShifted ? .shiftDown : .down
        case UInt8(ascii: "C"): return isShifted ? .shiftRight : .right
        case UInt8(ascii: "D"): return isShifted ? .shiftLeft : .left
        case UInt8(ascii: "a"): return .shiftUp
        case UInt8(ascii: "b"): return .shiftDown
        case UInt8(ascii: "c"): return .shiftRight
        case UInt8(ascii: "d"): return .shiftLeft
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "P")...UInt8(ascii: "S"): return .function(Int(final) - 0x4F)
        default: return nil
        }
    }

    private static func tilde(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// SGR mouse, mode 1006: `ESC [ < button ; column ; row M`, and `m` for a release.
    private static func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8) -> MouseEvent? {
        guard let numbers = numbers(parameters), numbers.count == 3,
            (1...Size.largest).contains(numbers[1]), (1...Size.largest).contains(numbers[2])
        else { return nil }
        let kind: MouseEvent.Kind
        // Bits 2, 3 and 4 are shift, alt and control; bit 5 is motion, bit 6 the wheel.
        switch (final, numbers[0] & ~0b11100) {
        case (UInt8(ascii: "m"), 0...2): kind = .release
        case (UInt8(ascii: "M"), 0): kind = .press(.left)
        case (UInt8(ascii: "M"), 1): kind = .press(.middle)
        case (UInt8(ascii: "M"), 2): kind = .press(.right)
        case (UInt8(ascii: "M"), 32...34): kind = .drag
        case (UInt8(ascii: "M"), 64): kind = .wheelUp
        case (UInt8(ascii: "M"), 65): kind = .wheelDown
        default: return nil
        }
        return MouseEvent(kind, row: numbers[2] - 1, column: numbers[1] - 1)
    }

    /// Numbers between semicolons; nil when there is anything else, or a number beyond sense.
    private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int]? {
        var numbers: [Int] = []
        for field in parameters.split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        {
            guard field.count <= 6 else { return nil }
            var number = 0
            for byte in field {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            numbers.append(number)
        }
        return numbers
    }
}
