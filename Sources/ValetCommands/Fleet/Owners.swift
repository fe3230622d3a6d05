/// The names of those who park, the most common first.
enum Owners {
    static let first = Weighted(byRank: words(firstNames), from: 8)
    static let last = Weighted(byRank: words(lastNames), from: 8)

    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map { String($0.replacing("_", with: " ")) }
    }

    private static let firstNames = """
        Anna Maria Peter Thomas José Michael Ana Laura Martin Sofía Jan Eva Daniel Julia Mohamed
        Élodie Paul Lucía Jürgen Zoë Petra Lukas Renée Björn Chloé Marek Ingrid François Agnès Søren
        Bo Åsa Katarzyna Łukasz Šárka Jiří Željko Đorđe Çağla Ömer İpek Gökçe Siân Ciarán Niamh
        Márton Réka Ștefan Ioana Ólafur Þóra Øyvind Håkon Nuño Begoña Conceição João Inês Hồng Quỳnh
        Yuki Haruto Wei Mei Jin Aarav Priya Fatima Omar Leila Noah Mia Emma Liam Olivia Ava Hugo Ida
        Nils Greta Otto Frieda Karl Émile Ève Anaïs Loïc Maël Gaëlle Sergei Юлия Νίκος
        """

    private static let lastNames = """
        Müller Smith García Martin Novák Rossi Jensen Kowalski Nguyễn Silva Schmidt Jones López
        Hansen Dubois Nowak Johansson Weber Brown Fernández Svoboda Bernard Ferrari Andersen Horváth
        Yılmaz Popescu Meyer Taylor Rodríguez Nielsen Dvořák Petit Bianchi Kovács Wagner Wilson
        González Olsen Černý Robert Romano Szabó Şahin Ionescu Becker Davies Pérez Larsen Procházka
        Richard Ricci Tóth Öztürk Popa Schulz Evans Sánchez Sørensen Kučera Durand Marino Nagy Çelik
        Hoffmann Thomas Ramírez Rasmussen Veselý Moreau Greco Varga Aydın Koch Johnson Torres
        Christensen Krejčí Laurent Bruno Kiss Arslan Schäfer Roberts Flores Madsen Němec Simon Gallo
        Molnár Doğan Bauer Walker Rivera Kristensen Marek Michel Conti Németh Kılıç Richter Wright
        Gómez Åberg Pokorný Lefèvre Costa Farkas Aslan Klein Robinson Díaz Öberg Hájek Leroy
        Giordano Balogh Çetin Wolf Thompson Reyes Ångström Jelínek Roux Mancini Papp Kara Schröder
        White Morales Bergström Růžička David Rizzo Takács Koç Neumann Hughes Ortiz Sjögren Beneš
        Bertrand Lombardi Juhász Kurt Schwarz Edwards Gutiérrez Söderberg Fiala Morel Moretti
        Lakatos Özkan Zimmermann Green Chávez Lindström Sedláček Fournier Barbieri Mészáros Şimşek
        Braun Lewis Ruiz Ødegård Doležal Girard Fontana Oláh Polat Krüger Wood Álvarez Bjørnstad
        Zeman Bonnet Santoro Erdoğan Hofmann Harris Castillo Haugen Kolář Dupont Mariani Rácz Yıldız
        Lange Martinez Romero Đapić Đukić Žižek Šimunović Čović Łuczak Żak Źrebiec Święcicki Ćwikła
        van_der_Berg de_Vries d’Angelo O’Brien Mac_Giolla Ó_Súilleabháin Þórsdóttir Ægisson Ørsted
        Ōe Satō Suzuki Takahashi Tanaka Watanabe Itō Wang Li Zhang Liu Chen Kim Park Choi Singh
        Kumar Sharma Patel Haddad Khoury Nasser Cohen Levi Иванов Петрова Παπαδόπουλος 田中 김
        """
}
