/// Name, capital, population and continent of the countries.
///
/// From GeoNames (https://www.geonames.org), CC BY 4.0.
enum GalleryCountries {
    static let text = """
        Afghanistan|Kabul|37172386|AS
        Aland Islands|Mariehamn|26711|EU
        Albania|Tirana|2866376|EU
        Algeria|Algiers|42228429|AF
        American Samoa|Pago Pago|55465|OC
        Andorra|Andorra la Vella|77006|EU
        Angola|Luanda|30809762|AF
        Anguilla|The Valley|13254|NA
        Antarctica||0|AN
        Antigua and Barbuda|St. John's|96286|NA
        Argentina|Buenos Aires|44494502|SA
        Armenia|Yerevan|3090500|AS
        Aruba|Oranjestad|105845|NA
        Australia|Canberra|24992369|OC
        Austria|Vienna|8847037|EU
        Azerbaijan|Baku|10224900|AS
        Bahamas|Nassau|385640|NA
        Bahrain|Manama|1569439|AS
        Bangladesh|Dhaka|161356039|AS
        Barbados|Bridgetown|286641|NA
        Belarus|Minsk|9485386|EU
        Belgium|Brussels|11422068|EU
        Belize|Belmopan|383071|NA
        Benin|Porto-Novo|11485048|AF
        Bermuda|Hamilton|63968|NA
        Bhutan|Thimphu|754394|AS
        Bolivia|Sucre|11353142|SA
        Bonaire, Saint Eustatius and Saba ||18012|NA
        Bosnia and Herzegovina|Sarajevo|3323929|EU
        Botswana|Gaborone|2254126|AF
        Bouvet Island||0|AN
        Brazil|Brasilia|209469333|SA
        British Indian Ocean Territory|Diego Garcia|4000|AS
        British Virgin Islands|Road Town|29802|NA
        Brunei|Bandar Seri Begawan|428962|AS
        Bulgaria|Sofia|7000039|EU
        Burkina Faso|Ouagadougou|19751535|AF
        Burundi|Gitega|11175378|AF
        Cabo Verde|Praia|543767|AF
        Cambodia|Phnom Penh|16249798|AS
        Cameroon|Yaounde|25216237|AF
        Canada|Ottawa|37058856|NA
        Cayman Islands|George Town|64174|NA
        Central African Republic|Bangui|4666377|AF
        Chad|N'Djamena|15477751|AF
        Chile|Santiago|18729160|SA
        China|Beijing|1411778724|AS
        Christmas Island|Flying Fish Cove|1500|OC
        Cocos Islands|West Island|628|AS
        Colombia|Bogota|49648685|SA
        Comoros|Moroni|832322|AF
        Cook Islands|Avarua|21388|OC
        Costa Rica|San Jose|4999441|NA
        Croatia|Zagreb|3871833|EU
        Cuba|Havana|11338138|NA
        Curacao| Willemstad|159849|NA
        Cyprus|Nicosia|1189265|EU
        Czechia|Prague|10625695|EU
        Democratic Republic of the Congo|Kinshasa|84068091|AF
        Denmark|Copenhagen|5797446|EU
        Djibouti|Djibouti|958920|AF
        Dominica|Roseau|71625|NA
        Dominican Republic|Santo Domingo|10627165|NA
        Ecuador|Quito|17084357|SA
        Egypt|Cairo|98423595|AF
        El Salvador|San Salvador|6420744|NA
        Equatorial Guinea|Ciudad de la Paz|1308974|AF
        Eritrea|Asmara|6209262|AF
        Estonia|Tallinn|1320884|EU
        Eswatini|Mbabane|1136191|AF
        Ethiopia|Addis Ababa|109224559|AF
        Falkland Islands|Stanley|2638|SA
        Faroe Islands|Torshavn|48497|EU
        Fiji|Suva|883483|OC
        Finland|Helsinki|5518050|EU
        France|Paris|66987244|EU
        French Guiana|Cayenne|195506|SA
        French Polynesia|Papeete|277679|OC
        French Southern Territories|Port-aux-Francais|140|AN
        Gabon|Libreville|2119275|AF
        Gambia|Banjul|2280102|AF
        Georgia|Tbilisi|3704500|AS
        Germany|Berlin|82927922|EU
        Ghana|Accra|29767108|AF
        Gibraltar|Gibraltar|33718|EU
        Greece|Athens|10727668|EU
        Greenland|Nuuk|56025|NA
        Grenada|St. George's|111454|NA
        Guadeloupe|Basse-Terre|443000|NA
        Guam|Hagatna|165768|OC
        Guatemala|Guatemala City|17247807|NA
        Guernsey|St Peter Port|65228|EU
        Guinea|Conakry|12414318|AF
        Guinea-Bissau|Bissau|1874309|AF
        Guyana|Georgetown|779004|SA
        Haiti|Port-au-Prince|11123176|NA
        Heard Island and McDonald Islands||0|AN
        Honduras|Tegucigalpa|9587522|NA
        Hong Kong|Hong Kong|7396076|AS
        Hungary|Budapest|9768785|EU
        Iceland|Reykjavik|353574|EU
        India|New Delhi|1352617328|AS
        Indonesia|Jakarta|267663435|AS
        Iran|Tehran|81800269|AS
        Iraq|Baghdad|38433600|AS
        Ireland|Dublin|4853506|EU
        Isle of Man|Douglas|84077|EU
        Israel|Jerusalem|8883800|AS
        Italy|Rome|60431283|EU
        Ivory Coast|Yamoussoukro|25069229|AF
        Jamaica|Kingston|2934855|NA
        Japan|Tokyo|126529100|AS
        Jersey|Saint Helier|90812|EU
        Jordan|Amman|9956011|AS
        Kazakhstan|Nur-Sultan|18276499|AS
        Kenya|Nairobi|51393010|AF
        Kiribati|Tarawa|115847|OC
        Kosovo|Pristina|1845300|EU
        Kuwait|Kuwait City|4137309|AS
        Kyrgyzstan|Bishkek|6315800|AS
        Laos|Vientiane|7061507|AS
        Latvia|Riga|1926542|EU
        Lebanon|Beirut|6848925|AS
        Lesotho|Maseru|2108132|AF
        Liberia|Monrovia|4818977|AF
        Libya|Tripoli|6678567|AF
        Liechtenstein|Vaduz|37910|EU
        Lithuania|Vilnius|2789533|EU
        Luxembourg|Luxembourg|607728|EU
        Macao|Macao|631636|AS
        Madagascar|Antananarivo|26262368|AF
        Malawi|Lilongwe|17563749|AF
        Malaysia|Kuala Lumpur|31528585|AS
        Maldives|Male|515696|AS
        Mali|Bamako|19077690|AF
        Malta|Valletta|483530|EU
        Marshall Islands|Majuro|58413|OC
        Martinique|Fort-de-France|432900|NA
        Mauritania|Nouakchott|4403319|AF
        Mauritius|Port Louis|1265303|AF
        Mayotte|Mamoudzou|279471|AF
        Mexico|Mexico City|126190788|NA
        Micronesia|Palikir|112640|OC
        Moldova|Chisinau|3545883|EU
        Monaco|Monaco|38682|EU
        Mongolia|Ulaanbaatar|3170208|AS
        Montenegro|Podgorica|622345|EU
        Montserrat|Plymouth|9341|NA
        Morocco|Rabat|36029138|AF
        Mozambique|Maputo|29495962|AF
        Myanmar|Nay Pyi Taw|53708395|AS
        Namibia|Windhoek|2448255|AF
        Nauru|Yaren|12704|OC
        Nepal|Kathmandu|28087871|AS
        Netherlands Antilles|Willemstad|300000|NA
        New Caledonia|Noumea|284060|OC
        New Zealand|Wellington|4885500|OC
        Nicaragua|Managua|6465513|NA
        Niger|Niamey|22442948|AF
        Nigeria|Abuja|195874740|AF
        Niue|Alofi|2166|OC
        Norfolk Island|Kingston|1828|OC
        North Korea|Pyongyang|25549819|AS
        North Macedonia|Skopje|2082958|EU
        Northern Mariana Islands|Saipan|56882|OC
        Norway|Oslo|5314336|EU
        Oman|Muscat|4829483|AS
        Pakistan|Islamabad|212215030|AS
        Palau|Melekeok|17907|OC
        Palestinian Territory|East Jerusalem|4569087|AS
        Panama|Panama City|4176873|NA
        Papua New Guinea|Port Moresby|8606316|OC
        Paraguay|Asuncion|6956071|SA
        Peru|Lima|31989256|SA
        Philippines|Manila|106651922|AS
        Pitcairn|Adamstown|46|OC
        Poland|Warsaw|37978548|EU
        Portugal|Lisbon|10281762|EU
        Puerto Rico|San Juan|3195153|NA
        Qatar|Doha|2781677|AS
        Republic of the Congo|Brazzaville|5244363|AF
        Reunion|Saint-Denis|776948|AF
        Romania|Bucharest|19473936|EU
        Russia|Moscow|144478050|EU
        Rwanda|Kigali|12301939|AF
        Saint Barthelemy|Gustavia|8450|NA
        Saint Helena|Jamestown|7460|AF
        Saint Kitts and Nevis|Basseterre|52441|NA
        Saint Lucia|Castries|181889|NA
        Saint Martin|Marigot|37264|NA
        Saint Pierre and Miquelon|Saint-Pierre|7012|NA
        Saint Vincent and the Grenadines|Kingstown|110211|NA
        Samoa|Apia|196130|OC
        San Marino|San Marino|33785|EU
        Sao Tome and Principe|Sao Tome|197700|AF
        Saudi Arabia|Riyadh|33699947|AS
        Senegal|Dakar|15854360|AF
        Serbia|Belgrade|6982084|EU
        Serbia and Montenegro|Belgrade|10829175|EU
        Seychelles|Victoria|96762|AF
        Sierra Leone|Freetown|7650154|AF
        Singapore|Singapore|5638676|AS
        Sint Maarten|Philipsburg|40654|NA
        Slovakia|Bratislava|5447011|EU
        Slovenia|Ljubljana|2067372|EU
        Solomon Islands|Honiara|652858|OC
        Somalia|Mogadishu|15008154|AF
        South Africa|Pretoria|57779622|AF
        South Georgia and the South Sandwich Islands|Grytviken|30|AN
        South Korea|Seoul|51635256|AS
        South Sudan|Juba|8260490|AF
        Spain|Madrid|46723749|EU
        Sri Lanka|Colombo|21670000|AS
        Sudan|Khartoum|41801533|AF
        Suriname|Paramaribo|575991|SA
        Svalbard and Jan Mayen|Longyearbyen|2550|EU
        Sweden|Stockholm|10183175|EU
        Switzerland|Bern|8516543|EU
        Syria|Damascus|16906283|AS
        Taiwan|Taipei|23451837|AS
        Tajikistan|Dushanbe|9100837|AS
        Tanzania|Dodoma|56318348|AF
        Thailand|Bangkok|69428524|AS
        The Netherlands|Amsterdam|17231017|EU
        Timor Leste|Dili|1267972|OC
        Togo|Lome|7889094|AF
        Tokelau||1466|OC
        Tonga|Nuku'alofa|103197|OC
        Trinidad and Tobago|Port of Spain|1389858|NA
        Tunisia|Tunis|11565204|AF
        Turkey|Ankara|82319724|AS
        Turkmenistan|Ashgabat|5850908|AS
        Turks and Caicos Islands|Cockburn Town|37665|NA
        Tuvalu|Funafuti|11508|OC
        U.S. Virgin Islands|Charlotte Amalie|106977|NA
        Uganda|Kampala|42723139|AF
        Ukraine|Kyiv|40000000|EU
        United Arab Emirates|Abu Dhabi|9630959|AS
        United Kingdom|London|66488991|EU
        United States|Washington|327167434|NA
        United States Minor Outlying Islands||0|OC
        Uruguay|Montevideo|3449299|SA
        Uzbekistan|Tashkent|32955400|AS
        Vanuatu|Port Vila|292680|OC
        Vatican|Vatican City|921|EU
        Venezuela|Caracas|28870195|SA
        Vietnam|Hanoi|95540395|AS
        Wallis and Futuna|Mata Utu|16025|OC
        Western Sahara|El-Aaiun|273008|AF
        Yemen|Sanaa|28498687|AS
        Zambia|Lusaka|17351822|AF
        Zimbabwe|Harare|16868409|AF
        """

    static let continents = [
        "AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America",
        "OC": "Oceania", "SA": "South America",
    ]
}
