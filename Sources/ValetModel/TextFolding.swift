/// placeholder until the generated table arrives
public enum TextFolding {
    public static func fold(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }
}
