import ValetStore

package func sha256(_ bytes: [UInt8]) -> [UInt8] { OpenedFile.digest(of: bytes) }
