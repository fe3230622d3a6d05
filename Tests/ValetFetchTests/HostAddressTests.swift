import Testing

@testable import ValetFetch

/// Which addresses anybody reaches.
@Suite struct HostAddressTests {
    @Test(arguments: [
        "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1",
        "223.255.255.255", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::",
    ]) func anybodyReaches(_ text: String) throws {
        #expect(try #require(HostAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.168.0.1", "198.18.0.1", "224.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1",
        "2002:7f00:1::", "2001::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1",
        "100::1",
    ]) func onlyTheMachineOrItsNetworkReaches(_ text: String) throws {
        #expect(try #require(HostAddress(text)).isPublic == false)
    }

    @Test func aNameIsNoAddress() {
        #expect(HostAddress("localhost") == nil && HostAddress("") == nil)
    }
}
