/// A maker of cars.
struct Make: Sendable {
    var name: String
    /// The year of its first car.
    var since: Int
    /// The most common first.
    var models: Weighted<String>

    static let all = Weighted(
        table.split(separator: "\n").map { line in
            let fields = line.split(separator: "|").map(String.init)
            precondition(fields.count == 4, "not a make: \(line)")
            guard let weight = Int(fields[1]), let since = Int(fields[2]) else {
                preconditionFailure("not a make: \(line)")
            }
            let models = fields[3].split(separator: ",").map(String.init)
            return (
                Make(name: fields[0], since: since, models: Weighted(byRank: models, from: 1)),
                weight
            )
        })

    /// Name, how common it is, first year, models.
    private static let table = """
        Alfa Romeo|40|1910|Giulietta,Giulia,Stelvio,MiTo,Tonale,159,Spider
        Aston Martin|4|1913|Vantage,DB11,DB9,DBX,DB5
        Audi|420|1910|A4,A3,A6,Q5,Q3,A1,Q7,A5,TT,e-tron,A8,R8
        Bentley|5|1919|Continental GT,Bentayga,Flying Spur
        BMW|520|1929|320i,X3,118d,X1,520d,X5,i4,330e,i3,M3,Z4,740d,2002
        Bugatti|1|1910|Chiron,Veyron,Type 35
        Cadillac|30|1908|Escalade,CTS,XT5,Eldorado,DeVille
        Chevrolet|260|1911|Silverado,Malibu,Equinox,Tahoe,Camaro,Corvette,Bolt,Impala
        Citroën|230|1919|C3,Berlingo,C4,C1,C5 Aircross,ë-C4,C4 Cactus,Ami,DS,2CV
        Cupra|35|2018|Formentor,Born,León,Ateca
        Dacia|180|1966|Sandero,Duster,Logan,Jogger,Spring,Dokker
        Fiat|240|1908|500,Panda,Punto,Tipo,Doblò,500X,Ducato,124 Spider
        Ford|560|1908|Focus,Fiesta,F-150,Kuga,Puma,Mondeo,Mustang,Transit,Explorer,Ka,Model T
        Honda|300|1963|Civic,CR-V,Jazz,Accord,HR-V,e,Pilot,S2000
        Hyundai|310|1975|Tucson,i20,i30,Kona,i10,Ioniq 5,Santa Fe,Elantra
        Jaguar|35|1935|F-Pace,XE,XF,E-Pace,F-Type,I-Pace,E-Type
        Jeep|110|1945|Renegade,Compass,Wrangler,Grand Cherokee,Avenger
        Kia|270|1974|Sportage,Ceed,Picanto,Niro,Rio,Sorento,EV6,Stonic,Soul
        Lada|25|1970|Niva,Vesta,Granta,2107,Жигули
        Lamborghini|2|1964|Urus,Huracán,Aventador,Countach
        Lancia|15|1908|Ypsilon,Delta,Fulvia
        Land Rover|70|1948|Discovery Sport,Range Rover Evoque,Defender,Discovery,Velar
        Lexus|60|1989|NX,RX,UX,IS,ES,CT 200h
        Lynk & Co|6|2018|01
        Mazda|150|1960|CX-5,3,2,CX-30,MX-5,6,CX-3
        Mercedes-Benz|440|1926|C 200,A 180,E 220,GLC,B 180,CLA,GLA,Vito,S 500,EQA,300 SL
        MINI|120|1959|Cooper,Countryman,One,Clubman,Cooper SE
        Mitsubishi|70|1964|Space Star,Outlander,ASX,L200,Eclipse Cross
        Nissan|240|1933|Qashqai,Juke,Micra,Leaf,X-Trail,Note,Ariya,GT-R
        Opel|280|1908|Corsa,Astra,Mokka,Crossland,Insignia,Zafira,Meriva,Kapitän
        Peugeot|310|1908|208,3008,308,2008,107,508,Partner,5008,Rifter,e-208,205
        Polestar|15|2019|2,3,4
        Porsche|70|1948|911,Cayenne,Macan,Taycan,Boxster,Panamera,356
        Renault|330|1908|Clio,Mégane,Captur,Zoé,Twingo,Scénic,Kadjar,Kangoo,Arkana,Koléos,4
        Rolls-Royce|2|1908|Ghost,Phantom,Silver Shadow
        Saab|20|1949|9-3,9-5,900,99
        SEAT|170|1953|León,Ibiza,Arona,Ateca,Alhambra,Mii
        Škoda|290|1925|Octavia,Fabia,Kodiaq,Superb,Karoq,Citigo,Kamiq,Enyaq,Felicia
        Smart|50|1998|fortwo,forfour,#1
        Subaru|70|1958|Outback,Forester,Impreza,XV,BRZ
        Suzuki|110|1955|Swift,Vitara,Ignis,S-Cross,Jimny
        Tesla|130|2008|Model 3,Model Y,Model S,Model X,Roadster
        Toyota|610|1936|Corolla,Yaris,RAV4,Aygo,C-HR,Camry,Prius,Auris,Hilux,Land Cruiser,Supra
        Trabant|8|1957|601,1.1
        Volkswagen|680|1938|Golf,Polo,Tiguan,Passat,up!,T-Roc,ID.3,Touran,T-Cross,Caddy,Käfer
        Volvo|170|1927|XC60,V60,XC40,V40,V70,XC90,S60,EX30,240,Amazon
        Wartburg|3|1956|353,311
        """
}
