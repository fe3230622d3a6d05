import Testing

@Test func standsAlone() {}
