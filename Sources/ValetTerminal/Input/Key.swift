/// A key as terminals can tell it.
package enum Key: Hashable, Sendable {
    /// One scalar of text. Combining marks arrive by themselves.
    case character(Character)
    /// Control with a lower-case letter, or with one of `@ [ \ ] ^ _`.
    case control(Character)
    /// Alt, or Escape shortly before.
    case alt(Character)
    case enter
    case tab
    case backTab
    case backspace
    case escape
    case insert
    case delete
    case up
    case down
    case left
    case right
    case shiftUp
    case shiftDown
    case shiftLeft
    case shiftRight
    case home
    case end
    case pageUp
    case pageDown
    case function(Int)
}

/// What the mouse did, in cells from 0.
package struct MouseEvent: Hashable, Sendable {
    package var kind: Kind
    package var position: Position

    package init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        position = Position(row: row, column: column)
    }

    package enum Kind: Hashable, Sendable {
        case press(Button)
        case release
        case drag
        case wheelUp
        case wheelDown
    }

    package enum Button: Hashable, Sendable {
        case left
        case middle
        case right
    }
}

/// What a person did at the terminal.
package enum InputEvent: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text, malformed bytes repaired.
    case paste(String)
    /// A paste of more than `InputDecoder.bytesPerPaste`.
    case pasteTooLong
    /// The terminal has told the colour behind its text.
    case background(Tint)
    /// The terminal has told that it shows no frame before it is whole.
    case synchronizedOutput
}
