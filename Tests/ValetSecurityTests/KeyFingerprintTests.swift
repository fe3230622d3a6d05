import Testing

@testable import ValetSecurity

@Test(arguments: [
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
    "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
])
func aFingerprintReadsBackAsItWasWritten(text: String) {
    #expect(KeyFingerprint(text)?.description == text)
}

@Test(arguments: [
    "", "SHA256:", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
    "sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF",
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUU",
    // The last character has two bits more than the digest: they are zero.
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV",
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF ",
    "SHA256:é7DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
])
func anotherTextIsNoFingerprint(text: String) {
    #expect(KeyFingerprint(text) == nil)
}
