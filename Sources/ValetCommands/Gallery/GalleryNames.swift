/// First and last names, a blank between two; `_` stands for a blank in a name.
///
/// From dariusk/corpora (https://github.com/dariusk/corpora), CC0.
enum GalleryNames {
    static let text = """
        Aage Aagot Aakre Aala Aaliyah Aamodt Aanonsen Aarnes Aaron Aarseth Aarstad Aarvik Aarón
        Aas Aase Aasen Aaserud Aasheim Aashild Aasland Aasmund Aass Aasta Abbas Abby Abdi
        Abdirahman Abdul Abdulkadir Abdullah Abdullahi Abdón Abel Abelardo Abelsen Abigail Abraham
        Abrahamsen Abrahán Absalón Acacio Ada Adair Adalberto Adam Adams Adar Addison Adel Adela
        Adelaida Adele Adelen Aderyn Adi Adnan Adolfo Adolfsen Adrian Adriana Adrianna Adrián Adán
        Adél Adón Aga Agata Agathe Agnar Agne Agnes Agnete Agnethe Agnieszka Aguilar Agustín Ahmad
        Ahmadi Ahmed Ahmet Aida Aidan Aiden Ailbhe Aileen Ailin Ailo Aina Airut Aisha Aitor Akhtar
        Aki Akira Aksel Akselsen Aksnes Alai Alan Alana Alba Albert Alberto Albertsen Albina
        Albrigtsen Alejandra Alejandro Alejo Aleksa Aleksandar Aleksander Aleksandr Aleksandra
        Aleksandrs Alette Alex Alexa Alexander Alexandersen Alexandra Alexandria Alexandru Alexia
        Alexis Alf Alfhild Alfonso Alfred Alfredo Ali Alice Alicia Alicja Alida Alina Aline Alipio
        Alisa Alise Alix Aliz Allan Allen Allison Alma Alme Almog Almudena Almås Alnes Alondra
        Alonso Alstad Altair Alv Alva Alvarez Alvestad Alvhild Alvi Alvilde Alvin Alyssa Amable
        Amadeo Amaiur Amal Amalie Amanda Amane Amani Amanuel Amaro Amber Ambrosio Amdal Amelia
        Amelie Amets Amin Amina Amir Amira Amit Amna Amor Amour Amparo Amund Amundsen Amy Ana
        Ananías Anas Anastasia Anatolio Anbjørg Anders Andersen Anderson Anderssen Andersson Andre
        Andrea Andreas Andreassen Andrei Andrej Andres Andresen Andrew Andrine Andris Andrius
        Andrzej Andrés Andy Ane Aneta Anett Anette Angel Angela Angelica Angelika Angelina Angell
        Aniano Anine Anisa Aniston Anita Anja Anlaug Ann Ann-Christin Ann-Helen Ann-Karin
        Ann-Kristin Ann-Mari Anna Annar Annbjørg Anne Anne-Berit Anne-Brit Anne-Britt Anne-Grete
        Anne-Grethe Anne-Kari Anne-Karin Anne-Kristin Anne-Lene Anne-Lise Anne-Mari Anne-Marie
        Anne-Marit Anne-Mette Anne-Sofie Anneli Annelise Annette Anni Annie Annika Anniken Annlaug
        Anny Anselmo Ansgar Antero Anthony Anton Antoni Antonia Antonio Antonsen Aoi Apple April
        Aquiles Ara Araceli Aran Arcadio Arden Are Ares[a] Aresio Ari Ariadna Arian Ariana Arianna
        Arias Ariel Arild Aristides Arián Arkadiusz Arman Armin Arna Arnaldo Arne Arnesen Arnfinn
        Arnhild Arnold Arnstein Arnt Arntsen Arntzen Arnulf Aron Aronsen Artemio Arthur Artur
        Arturas Arturo Arunas Arve Arvid Arya Aryan Aránzazu Asbjørg Asbjørn Asbjørnsen Ascensión
        Asgeir Ash Asha Asher Ashley Ashlyn Ashton Ask Askeland Asla Aslak Aslaksen Aslaug Asle
        Asma Asmund Aspen Asta Aston Astri Astrid Asuka Asunción Atanasio Ataru Atle Aubrey Aud
        Audhild Audny Audrey Audrius Audun Auestad August Augusto Aune Aurelia Aureliano Aurelio
        Aurimas Aurora Austad Austin Autumn Ava Avery Aviv Avril Axel Aya Ayan Ayden Ayhan Ayla
        Ayse Aytaç Azar Azure Baard Bailey Baker Bakke Bakken Balder Baldomero Balduino Baltasar
        Bang Bar Barakah Barbara Barbro Barkley Barnes Barstad Bartlomiej Bartolomé Bartosz
        Basileo Bastian Bauge Beata Beate Beathe Beatrice Beatriz Beau Bech Beck Begoña Begum
        Bekkelund Bekken Bekkevold Belinda Bell Beltrán Belén Ben Bendik Bendiksen Benedicte
        Benedicto Benedikte Bengt Benigno Benito Benjamin Benjaminsen Benjamín Bennett Benny Bent
        Bente Benthe Bentsen Bentzen Benítez Berentsen Berg Bergan Berge Berger Bergersen Bergesen
        Berget Bergh Bergheim Bergit Bergli Bergliot Bergljot Berglund Bergmann Bergseth Bergstrøm
        Bergum Berit Berland Bernabé Bernard Bernarda Bernardo Bernhard Bernt Berntsen Berntzen
        Berta Bertelsen Bertha Bertheussen Bertil Bertine Betina Bettina Betty Bianca Bilal Bilge
        Billie Birger Birgit Birgith Birgitta Birgitte Birk Birkeland Birkelund Birte Birthe
        Bjarne Bjarte Bjelland Bjerkan Bjerke Bjerknes Bjordal Bjørdal Bjørg Bjørge Bjørke Bjørkli
        Bjørklund Bjørn Bjørn-Erik Bjørnar Bjørndal Bjørnsen Bjørnstad Bjørsvik Black Blair Blake
        Blanca Blanco Blas Blesa Blindheim Blix Blom Blue Bo Bodil Bogdan Boge Bogen Boguslaw
        Bolstad Bonifacio Bore Borg Borgar Borge Borgen Borgersen Borghild Borgny Borja Boyd
        Bozena Braaten Braathen Braden Bradley Brady Brage Brandal Brandon Brandt Bratland Bratli
        Bratlie Bravo Brayden Breanna Brede Bredesen Breivik Brekke Brekken Brendan Brenden Brenna
        Brenne Brett Brevik Brian Briana Brianna Brit Brita Brith Britt Britta Brittany Brody
        Brogan Bronte Bronze Brooke Brooklyn Brooks Bror Brovold Brown Bru Bruland Brun Bruno
        Brustad Bruun Bruvik Bryan Bryant Bryce Brynhild Brynildsen Brynjar Brynjulf Bryson Bråten
        Bråthen Buenaventura Buer Bugge Bull Burns Bushra Butler Butt Byberg Bye Bárbara Bård
        Bårdsen Bø Bøe Bøhn Børge Børre Børresen Caballero Cabrera Caden Caitlin Caitlyn Caleb
        Calixto Calvo Cambil Cameron Camila Camilla Camille Camilo Campbell Campos Candide Cano
        Carey Carina Carine Carl Carla Carling Carlos Carlsen Carmelo Carmen Carmo Carmona
        Carolina Caroline Carrasco Carson Carsten Carter Cary Casey Casiano Casimiro Casio Casper
        Caspian Cassandra Cassidy Castillo Castro Catalina Catharina Catherine Cathrin Cathrine
        Cato Catrine Cayetano Cayo Cecilia Cecilie Cedar Ceferino Celia Celina Celine Celso Cemre
        Cesar Cesilie Cesáreo Chadi Charles Charley Charlie Charlotte Chase Chavez Chelsea
        Cheyenne Chiaki Chloe Chris Christel Christen Christensen Christer Christian Christiane
        Christiansen Christin Christina Christine Christoffer Christoffersen Christopher Cicilie
        Cindy Cipriano Cirilo Cirino Ciro Claes Claire Clara Clark Claude Claudia Claudio Claus
        Clausen Cleofás Clotilde Cloud Clove Cody Colby Cole Coleman Colin Collin Collins Colombo
        Colton Columba Columbano Concepción Conner Connie Connor Conrad Conrado Constancio
        Constantino Consuelo Cook Cooper Cornelia Cornelius Corneliussen Corpus Corrie Corry
        Cortés Cory Cosme Courtney Cox Crawford Cree Crespo Crimson Cristian Cristina Cristóbal
        Cruz Crystal Cunningham Cyan Cyril Cyrille Cándida Céleste César Daciano Dacio Dag Dagfinn
        Dagfrid Dagmar Dagny Dagrun Dahl Dahlberg Dahle Dahlen Dainius Daisy Daiva Dakota Dale
        Dalen Daley Dalia Dallas Dalton Daly Damian Damián Dammen Dan Dana Dani Daniel Daniela
        Daniella Danielle Daniels Danielsen Danny Danuta Dar Darby Darcy Daria Darian Dario Darius
        Dariusz Darnel David Davidsen Davis Dawid Dawit Dayán Deividas Delaney Delgado Dell
        Demócrito Denis Deniz Dennis Deny Denís Derek Derya Desiree Destiny Devin Devon Diamond
        Diana Diaz Didrik Didriksen Diego Dimas Dina Dixon Diya Dokken Dolores Domingo Dominic
        Dominik Dominika Dominique Domínguez Donatas Donato Donovan Dor Dorian Doris Doron Dorota
        Dorotea Dorthe Dorthea Dove Drange Drew Dreyer Duda Duncan Dunn Durán Duygu Dybvik Dylan
        Dámaso Díaz Díez Easton Ebba Edda Eddie Edel Eden Edgar Edin Edit Edita Edith Edle Edmund
        Edmundo Edna Eduardo Eduvigis Edvard Edvardsen Edvin Edward Edwards Edwin Edyta Edén Eedi
        Eelia Eeri Efrén Egeland Egge Eggen Egidijus Egil Egle Egypt Eid Eide Eidem Eider Eie
        Eigil Eik Eike Eikeland Eikrem Eileen Eilen Eilert Eilertsen Eilif Eilin Einar Einarsen
        Eira Eirik Eiril Eirill Eirin Eivind Eivor Ek Eka Ekaterina Ekeberg Elbjørg Eldar Eldbjørg
        Eldrid Eleazar Elen Elena Elfrid Eli Elias Eliassen Elida Elijah Elin Elina Eline Elinor
        Elis Elisa Elisabet Elisabeth Elise Eliseo Eliza Elizabeth Eliécer Ella Ellefsen Ellen
        Ellie Elling Ellingsen Ellinor Elliot Elliott Ellis Elly Elna Elsa Else Else-Marie Elsie
        Elstad Elur Elvan Elvira Elzbieta Elías Emanuel Embla Emelie Emely Emerald Emerson Emery
        Emil Emilia Emilian Emiliano Emilie Emilio Emily Emina Emine Emir Emma Emmanuel Emmy Emre
        Emrik Encarnación Endre Endresen Eng Engan Enge Engebretsen Engelsen Engelstad Engen Enger
        Engh Enoksen Enrique Ensi Epifanía Erdal Eric Erica Erichsen Erick Erico Erik Erika
        Eriksen Eriksson Erin Eris Erland Erlandsen Erle Erlend Erling Erna Ernesto Ernst Erstad
        Ervi Ervik Esben Esdras Esen Eser Esiquio Eskil Eskild Esme Espedal Espeland Espen
        Esperanza Esteban Esten Ester Esther Ethan Eugenia Eugenio Eulalia Eusebio Eva Evald Evan
        Evangelista Evans Evaristo Evelina Evelyn Even Evensen Evjen Evrim Evy Ewa Ewelina Eystein
        Eyvind Ezequiel Fabian Fabio Fabiola Fabián Faby Facundo Fadumo Fagerheim Fagerland
        Fagerli Faith Falch Falk Fanny Farah Farstad Fatemeh Fatima Fatma Fauske Faustino Fausto
        Federico Felicia Feliciano Felipe Felix Fennec Ferdinand Ferguson Fermín Fernandez
        Fernando Fernández Ferrer Fidel Filip Filippa Fillip Finley Finn Finstad Fiona Fisher
        Fjeld Fjelde Fjeldheim Fjeldstad Fjell Fjellheim Fjellstad Fjørtoft Flann Flannery Flaten
        Flemming Flores Folkestad Forberg Ford Forsberg Fortunato Foss Fosse Fossen Fossheim
        Fossum Foster Fox Francesc Francisca Francisco Frank Frankie Frans Frantzen Fred Freddie
        Freddy Frederik Fredheim Fredrick Fredrik Fredrikke Fredriksen Freeman Fremstad Frid Frida
        Fride Fridtjof Frithjof Frits Fritz Frode Frydenlund Frøya Frøydis Frøyland Fuentes
        Fuglestad Fulgencio Furnes Furulund Furuseth Fátima Félix Førde Førland Gaarder Gabriel
        Gabriela Gabriele Gabriella Gabrielle Gabrielsen Gael Gage Gail Gal Gale Galina Gallardo
        Gallego Gamst Garcia García Gard Gardner Garnet Garrett Garrido Gashi Gaup Gaustad Gaute
        Gavin Gayle Gediminas Geir Gema Genesis Genoveva Gentry Georg George Gerardo Gerd Gerda
        Gerhard Germán Gerrie Gert Gertrudis Gianna Gibson Giedrius Gil Gili Gilje Giménez Gina
        Gine Gintaras Giovanni Gisela Giselle Giske Gisle Gitte Gjelsvik Gjerde Gjermund Gjerstad
        Gjert Gjertrud Gjertsen Gjesdal Glen Glenn Gloria Godofredo Gold Goldie Gomez Gonzales
        Gonzalez Gonzalo González Goran Gordon Gorm Grace Gracie Graham Gran Granberg Grande
        Granheim Granli Granlund Grant Granum Gravdal Gray Grazyna Green Gregersen Gregorio
        Gregory Greta Grete Gretha Grethe Grey Griffin Grimsrud Grimstad Grindheim Gro Grov Groven
        Gry Grzegorz Grøndahl Grønli Grønning Grønvold Grønås Guadalupe Gudbrand Gudbrandsen
        Gudmund Gudmundsen Gudny Gudrun Gudveig Guerrero Guido Guillermo Gulbrandsen Gulliksen Gun
        Gunda Gundersen Gunhild Gunlaug Gunn Gunnar Gunnbjørg Gunnhild Gunnlaug Gunnvor Gunvald
        Gunvor Guri Guro Gustav Gustavo Gustavsen Gutierrez Gutiérrez Guttorm Guttormsen Guzmán
        Gwyn Gwynn Gwynne Gyda Génesis Gómez Göksel Gökçe Gøran Gøril Günay Haagensen Haakon
        Haaland Haavard Haave Hadar Hadley Hafsa Haga Hage Hagen Haiden Hailey Haldis Haldor
        Haldorsen Haley Halfdan Halima Hall Halland Halldis Halle Halley Hallgeir Hallstein
        Hallvard Hals Halsey Halvard Halvor Halvorsen Hamid Hamilton Hammer Hamre Hamza Hana Hanan
        Handeland Hani Hanna Hannah Hanne Hans Hans-Petter Hansen Hanssen Hansson Happy Harald
        Haraldsen Haris Harley Harriet Harris Harrison Harry Harstad Hart Haru Haruka Harumi Hasan
        Hassan Hassel Hatice Hauan Haug Haugan Hauge Haugen Hauger Haugerud Haugland Haugli
        Haugstad Hauk Haukeland Haukås Haven Hawkins Hayden Hayes Hayley Heaven Hector Hedda
        Hedvig Heen Hege Hegge Heggelund Heggem Heggen Heggland Hegna Heiberg Heidi Heile Heimdal
        Heine Heitmann Helen Helena Helene Helga Helge Helgeland Helgesen Helgi Heliodoro Helland
        Helle Hellerud Hellum Helmer Helmersen Helseth Hem Henden Henderson Hennie Henning
        Henningsen Henny Henriette Henrik Henrikke Henriksen Henry Henryk Heraclio Herborg Herdis
        Heriberto Herland Herman Hermann Hermansen Hermine Hermod Hernandez Hernes Hernández
        Herrera Herrero Hestnes Hetland Hicks Hidalgo Hikari Hikaru Hilarión Hilary Hild Hilda
        Hilde Hildegarda Hildegunn Hildur Hill Hillary Hillestad Hilmar Himar Hinata Hiromi Hitomi
        Hjalmar Hjelle Hjelmeland Hjørdis Hodne Hoel Hoem Hoff Hoffman Hofstad Hogne Hogstad
        Holand Holberg Holden Hole Holen Holger Hollis Holm Holme Holmen Holmes Holst Holstad Holt
        Holtan Holte Holten Holter Holtet Holth Holthe Homero Homme Honor Honorato Honorio Hope
        Hopland Horn Hov Hovda Hovde Hovden Hove Hovland Howard Hubert Hughes Hugo Hulda Humberto
        Hunt Hunter Husby Huse Huseby Husebø Hussain Hussein Hustad Huynh Hvidsten Hyacinthe
        Hågensen Håkon Håkonsen Håland Håvar Håvard Håvik Héctor Høie Høiland Høvik Høydal Høyland
        Ian Iben Ibrahim Ibáñez Ida Idar Idland Idun Idunn Ieva Ifigenia Iglesias Ignacio Igor
        Ikram Ildefonso Ilo Ilona Ilyas Iman Imani Imran Imre Ina India Indiana Indigo Indy Ine
        Ines Inga Ingar Inge Ingebjørg Ingeborg Ingebretsen Ingebrigt Ingebrigtsen Ingelin Inger
        Inger-Johanne Inger-Lise Inger-Marie Ingerid Ingfrid Inghild Ingjerd Ingmar Ingolf Ingri
        Ingrid Ingun Ingunn Ingvald Ingvaldsen Ingvar Ingve Ingvil Ingvild Ingvill Inmaculada
        Inocencio Inés Iqbal Iraultza Ireland Iren Irena Irene Ireneo Ireneusz Irian Irina Iriome
        Iris Irma Irmelin Isa Isaac Isabel Isabell Isabella Isabelle Isac Isaiah Isak Isaksen
        Isaías Iselin Isidro Ismael Ismail Ismat Ivan Ivana Ivar Iver Iversen Ivo Ivy Iván Ivón
        Iwona Izabela Izar Izumi Jacek Jacinto Jack Jackson Jacob Jacobo Jacobsen Jacqueline Jacy
        Jada Jade Jaden Jahn Jahr Jahren Jaime Jaimy Jake Jakob Jakobsen Jakub Jalen Jama Jamal
        James Jamie Jamila Jan Jan-Erik Jana Jane Janet Janicke Janis Janita Jann Janne Janniche
        Jannicke Jannike Jannis Jansen Jansson January Janusz Jarand Jardar Jared Jarl Jarle
        Jaroslaw Jasmin Jasmina Jasmine Jason Jaume Javier Jayden Jayla Jayme Jazmin Jean Jeanett
        Jeanette Jeffrey Jelena Jenkins Jenna Jennie Jennifer Jenny Jens Jensen Jenssen Jentje
        Jeppe Jeremiah Jeremy Jeremías Jeri Jerry Jeryl Jeryn Jerzy Jerónimo Jesper Jesse Jessi
        Jessica Jesus Jesús Jette Jill Jillian Jim Jimenez Jimmy Jiménez Jo Joachim Joacim Joakim
        Joan Joanna Joaquím Joaquín Joar Jocelyn Joel Joey Jofrid Johan Johann Johanna Johanne
        Johannes Johannesen Johannessen Johansen Johansson John Johnathan Johnny Johnsen Johnson
        Johnsrud Jolanta Jomar Jon Jonah Jonas Jonassen Jonatan Jonathan Jone Jones Jonn Jonny
        Jonsson Jonás Jordal Jordan Jordi Jordyn Jorge Jorid Jorun Jorunn Jos Josafat Jose Josef
        Josefa Josefina Josefine Josefsen Josep Joseph Josephine Joshua Josiah Jostein Josué José
        Journey Joy Jozef Juan Juana Judit Judith Julia Julian Juliana Juliane Julianne Julie
        Julio Julius Juliussen Julián Jun June Juni Juniper Juno Jurgita Juri Justice Justin
        Justino Justyna Juvenal Jøran Jørg Jørgen Jørgensen Jørn Jørstad Jørund Kaare Kaari Kaasa
        Kacper Kaden Kaede Kai Kaia Kaiho Kaisa Kaitlyn Kaj Kaja Kajsa Kale Kaleb Kallevik Kamil
        Kamila Kamilla Kanan Kaoru Karen Kari Kari-Anne Karianne Karim Karin Karina Karine Karl
        Karla Karli Karlsen Karlsson Karlstad Karo Karol Karolina Karoline Karstein Karsten
        Karstensen Kary Kasey Kasper Kaspersen Katarina Katarzyna Kate Katelyn Katharina Kathe
        Katherine Kathinka Kathrin Kathrine Kathryn Katie Katinka Katja Kato Katrin Katrine
        Katsumi Kaur Kay Kayla Kaylee Kazimierz Kazumi Keegan Kei Kelley Kelly Kelsey Ken Kendall
        Kennedy Kennet Kenneth Kenny Kent Kerry Kerstin Keshet Kestutis Ketil Kevin Khadija Khaled
        Khalid Khan Kiara Kildal Kim Kim-Andre Kimberly Kine King Kinga Kirby Kirsten Kirsti Kit
        Kittelsen Kittilsen Kitty Kjartan Kjell Kjellaug Kjellfrid Kjellrun Kjersti Kjerstin
        Kjetil Kjær Kjærstad Klara Klaudia Klaus Klausen Kleiven Kleppe Kleven Knight Knudsen Knut
        Knutsen Kohaku Kolberg Kolbjørn Kolstad Konrad Kopperud Kornelia Kornelius Korneliussen
        Korsmo Kree Kristel Kristen Kristensen Krister Kristi Kristian Kristiane Kristiansen
        Kristin Kristina Kristine Kristoffer Kristoffersen Krogh Krogstad Kroken Krystian Krystyna
        Krzysztof Kullero Kurt Kvalheim Kvalsvik Kvalvik Kvam Kvamme Kvammen Kvåle Kye Kyle Kylee
        Kylie Kyrie Kyrre Kåre Laden Ladislao Lahja Laila Lajla Lake Lana Lande Landon Landro Lane
        Lange Langeland Langseth Lara Lark Lars Lars-Erik Larsen Larssen Larsson Lasse Laura
        Laureano Laurel Lauren Laurie Laurits Lauritsen Lauritz Lauritzen Lavrans Layla Le Lea
        Leah Leander Leandro Lee Leif Leigh Leighton Leikny Leila Lein Leirvik Leiv Leknes Lemmi
        Lena Lene Leni Lennart Lennox Lenny Leo Leocadia Leon Leona Leonard Leonardo Leoncio
        Leonor Leonora Leopoldo Lervik Lesley Leslie Leszek Levi Lewis Leyla León Li Lia Liam Lian
        Liban Lid Lidia Liduvina Lie Liel Lien Lier Lightning Liland Lilian Liliana Lilja Lill
        Lillebø Lillevik Lilli Lillian Lilly Lily Lima Lin Lina Linas Lincoln Lind Linda Lindberg
        Linden Lindgren Lindis Lindland Lindsay Lindseth Lindsey Lindstad Lindstrøm Lindy Line
        Linea Linn Linnea Linnerud Lino Linus Lior Liron Lisa Lisbet Lisbeth Lise Liss Liv Liva
        Live Liz Lode Loe Logan Lohne Loke London Lone Long Longva Lopez Loren Lorena Lorentsen
        Lorentz Lorentzen Lorenzo Lothe Lotta Lotte Louis Louise Louison Lourdes Lovise Lozano
        Loïs Luca Lucano Lucas Lucia Luciano Lucrecia Lucy Lucía Ludvig Ludvigsen Ludvik Luis
        Luisa Luka Lukas Lukasz Luke Lumi Lumo Luna Lund Lundberg Lundby Lunde Lunden Lur Luz
        Lyder Lydia Lykke Lyn Lyng Lyngstad Lynn Lyric Lystad Lázaro López Løberg Løken Løkke
        Løkken Løland Lønning Løseth Løvaas Løvdal Løvik Løvseth Løvstad Løvås Ma Macario Maciej
        Mackenzie Maddox Madeleine Madelen Madelene Madeline Madelyn Madison Madox Mads Madsen
        Magda Magdalena Magna Magnar Magne Magnhild Magni Magnus Magnussen Magny Mahad Mahamed
        Mahdi Mahmood Mahmoud Mai Mai-Britt Maia Maiken Maj Maja Makayla Makenzie Makoto Malachi
        Malak Malena Malene Malgorzata Mali Malik Malin Malvin Mantas Manuel Manuela Maor Mar Marc
        Marcel Marcelino Marcelo March Marcial Marciano Marcin Marco Marcos Marcus Marcussen Marek
        Maren Margaret Margareth Margarita Margit Margot Margrete Margrethe Margun Margunn Mari
        Mari-Ann Maria Mariah Mariam Marian Mariana Mariann Marianne Mariano Marie Mariel Mariell
        Marielle Marija Marijn Marin Marina Mario Marion Marissa Marit Marita Marius Mariusz
        Marián Mark Markhus Marko Markus Markussen Marlee Marlen Marlene Marley Marlo Marlowe
        Marluxia Marron Marry Marshal Marshall Marta Marte Martha Marthe Marthine Marthinsen
        Marthinussen Marti Martin Martina Martine Martinez Martinius Martinsen Martinus
        Martinussen Martyna Martín Martínez Marvin Mary Mary-Ann Maryam Maryan Marzena María Marín
        Masami Mason Mateo Mateusz Mathea Matheo Mathias Mathiassen Mathiesen Mathilde Mathis
        Mathisen Matias Matilda Matilde Matre Mats Matteo Matthew Matthias Mattias Mattis Matías
        Maud Mauricio Max Maxime Maximilian Maximiliano Maxwell May May-Britt May-Liss Maya Maylen
        McKenna Mcdonald Mckenzie Meade Medina Megan Mehdi Mehmet Mel Meland Melanie Melby Melbye
        Melchor Melhus Melina Melinda Meling Melissa Melvin Mendoza Mercedes Meredith Merete
        Merethe Merle Mette Meyer Mia Micah Micha Michael Michaela Michaelsen Michal Michele.
        Michelle Michelsen Michi Midtbø Midttun Midtun Mie Mietti Miguel Mika Mikael Mikal
        Mikalsen Mikayla Mike Mikkel Mikkelsen Mikoto Mila Milagros Milan Mildrid Milena Milian
        Milla Mille Miller Mills Milo Mina Mindaugas Minh Mio Miqueas Mira Mirai Miranda Miriam
        Mirjam Miroslav Miroslaw Miska Mitchell Mitja Mitsuki Mjelde Mo Moberg Moe Moen Mohamad
        Mohamed Mohammad Mohammadi Mohammed Mohamud Moi Moisés Moland Molina Molly Mona Monet
        Monica Monika Mons Monsen Montana Montero Montoro Montserrat Moore Mor Mora Morales Moran
        Moreno Morgan Mork Morken Morris Morten Mortensen Mostafa Moya Muhammad Muhammed Muisto
        Muna Murphy Murray Mustafa Muñoz My Mya Mydland Myers Myhr Myhre Myhren Myhrvold Myklebust
        Myller Myran Myren Myrland Myrseth Myrvang Myrvold Myrvoll Márquez Målfrid Mæhlum Mæland
        Méndez Míriam Mónica Møller Mørch Mørk Møyfrid Nadia Nadine Nadir Nadja Nagisa Naima Najma
        Nakia Nakken Nancy Nanna Nao Naoise Naomi Narciso Narcisse Narve Naseem Nasim Nassim
        Natalia Natalie Natasha Nathalie Nathan Nathaniel Natividad Natsuki Navarro Navy Nazaret
        Nazario Nedrebø Neftalí Nelly Nelson Nemesio Nergård Neri Nerijus Nerland Nes Nesheim Ness
        Nesse Nesset Nessim Netland Nevada Nevaeh Ngoc Nguyen Nicanor Nicholas Nichols Nicklas
        Nicky Niclas Nicodemo Nicolai Nicolaisen Nicolas Nicolay Nicolaysen Nicole Nicoline
        Nicolás Nicomedes Niels Nielsen Nieto Nieves Niika Nikan Niki Nikki Nikko Niklas Niko
        Nikol Nikola Nikolai Nikolaisen Nikolas Nikolay Nikoline Nilla Nils Nilsen Nilssen Nilsson
        Nima Nina Ninni Njål Noa Noah Noam Noe Noel Noelia Nolan Nollaig Noor Nora Norah Norbert
        Norberto Nordahl Nordal Nordberg Nordby Nordbø Nordgård Nordhagen Nordheim Nordli Nordnes
        Nordseth Nordstrand Nordvik Nordås Norheim Norma Normann North Norum Norunn Norvald Noé
        Nur Nuria Nyberg Nyborg Nybø Nygaard Nygård Nyheim Nyhus Nyland Nylund Nymo Nymoen Nystad
        Nyx Næss Núñez Oakley Ocean Octavio October Oda Odd Oddbjørg Oddbjørn Odden Oddgeir
        Oddlaug Oddleif Oddmund Oddny Oddrun Oddvar Oddveig Oddvin Odei Odell Odet Odin Odland
        Odón Ofstad Oftedal Oksana Ola Olaf Olafsen Olai Olaisen Olaug Olaussen Olav Ole
        Ole-Christian Ole-Jørgen Ole-Kristian Ole-Martin Ole-Petter Olea Olena Olga Oline Oliver
        Olivia Olivier Oliwia Olsen Olson Olsson Olstad Olufsen Olve Oma Omar Omdal Omland
        Ommundsen Onix Onyx Onésimo Opdahl Opdal Opheim Oppedal Opsahl Or Orestes Ori Oriol Orion
        Orla Ortega Ortiz Oscar Oseas Oskar Osland Osman Osmundsen Osnes Osvald Oswaldo Othilie
        Otilia Oto Ottar Otterlei Ottesen Otto Ove Ovesen Owen Owens Paal Pablo Paige Palmer
        Pancracio Paris Parker Parra Parris Pascual Pastor Pat Patel Patricia Patricio Patrick
        Patrik Patrycja Patryk Patterson Paul Paula Paulina Pauline Paulius Paulsen Pavel Pawel
        Paxton Payne Payton Pearl Peder Pedersen Pedro Peggy Pepper Per Per-Arne Per-Erik Perez
        Pernille Perry Persen Persson Peter Peters Petersen Peterson Petja Petra Petronila Petter
        Pettersen Petterson Pettersson Peyton Peña Pham Philip Phillip Phillips Phoenix Phuong Pia
        Pierce Pii Pilar Piotr Placide Platinum Poncio Porfirio Porter Powell Preben Preston Price
        Prieto Primo Priscila Probo Przemyslaw Práxedes Purificación Pål Pérez Pío Qamar Quinn
        Rabben Rachel Radoslaw Rafael Rafal Ragna Ragnar Ragne Ragnhild Ragni Ragnvald Raimundo
        Rain Raine Rainer Rakel Raknes Ralf Ramberg Ramirez Ramiro Ramona Ramos Ramstad Ramunas
        Ramírez Ramón Randen Randi Randy Rani Rannveig Ranveig Raquel Rasa Rasha Rasmus Rasmussen
        Raven Ravndal Rayan Raymond Raz Raúl Reagan Rebeca Rebecca Rebecka Rebekka Rebel Ree Reed
        Reese Refsnes Regan Regina Regine Rei Reidar Reidun Reidunn Reiersen Reinaldo Reine
        Reinertsen Reistad Reita Reitan Reiten Rekdal Remedios Remi Remme Remy Ren Renata Renate
        Renathe Renato Rene Renee Rennie René Rey Reyes Reynolds Reza Ricardo Rice Richard
        Richardsen Richardson Ricki Ricky Ridley Rigmor Rigoberto Riis Riise Rikard Riki Rikke
        Rikku Riku Riley Rin Rina Ringdal Ringen Ringstad Rino Rio Ripley Risa Rise Risnes Rita
        River Rivera Roald Roan Roar Robbie Robert Robertas Roberto Roberts Robertsen Robertson
        Robin Robinson Robyn Rocío Rodrigo Rodriguez Rodríguez Rogelio Roger Rogers Rogne Rognstad
        Rogstad Rogue Roland Rolandas Rolf Rolland Rolv Roman Romero Romualdo Romy Román Ronald
        Ronja Ronnie Ronny Roque Rorie Rory Rosa Rosalia Rosario Rose Rosendo Rosland Ross
        Rosseland Rostad Rotem Rowan Roy Royce Ruben Rubio Ruby Rubén Rudi Rudolf Rudy Rufo Ruiz
        Runa Runar Rune Ruperto Russell Russi Rustad Rusten Rut Ruta Ruth Ruud Ryan Rydland Rye
        Ryen Rygg Rygh Rylan Rylee Rynn Ryszard Ryu Río Rød Rødland Røe Røed Rønnaug Rønneberg
        Rønning Rønningen Rørvik Røstad Saba Sabina Sabine Sabrina Sadia Sadie Saffron Saga Sagen
        Sahar Sahra Said Salma Salomonsen Salomé Salomón Salte Salvador Salvesen Salvio Sam
        Samantha Sami Samir Samira Samson Samuel Samuelsen Sana Sanchez Sand Sandal Sandberg Sande
        Sanden Sander Sanders Sandnes Sandra Sandvik Sandvold Sandy Sandøy Sani Sanna Sanne Sannes
        Sansón Santana Santiago Santos Sanz Sara Sarah Sascha Sasha Sassa Satsuki Saulius Savannah
        Sawyer Schei Schjølberg Schmidt Schrøder Schuyler Scott Scottie Scotty Scout Sean
        Sebastian Sebastián Segismundo Seim Selby Sele Selina Seline Selma Selnes Selvik Senna
        September Sequoia Serenity Sergio Serina Serine Serrano Seth Severin Severino Severinsen
        Seyed Shams Shane Shani Shannon Sharma Sharon Shaw Shawn Shay Shea Shelby Shelley Shiloh
        Shinobu Shirley Shizuka Sidney Sidsel Sienna Sierra Sigbjørn Sigfred Sigfrid Sigi Sigmund
        Signe Signy Sigrid Sigrun Sigrunn Sigurd Sigvald Sigvart Sigve Silas Silja Silje Silver
        Silvia Simcha Simen Simensen Simeón Simmons Simon Simona Simone Simonsen Simpson Simón
        Sina Sinaí Sinclair Sindre Sine Singh Siren Siri Siril Sirius Siro Sissel Siv Sivert
        Sivertsen Siw Sixto Sjur Sjursen Sjøberg Skaar Skagen Skar Skare Skaret Skau Skaug Skeie
        Skjalg Skjelbred Skjerve Skjold Skjæveland Skog Skogen Skogheim Skogli Skoglund Skogstad
        Skrede Skretting Skulstad Sky Skye Skylar Skyler Skår Slawomir Sletten Sláine Smedsrud
        Smestad Smith Snefrid Snorre Snow Snyder Sofia Sofie Sofía Soini Sol Solbakken Solberg
        Solbjørg Soledad Solem Soler Solfrid Solgunn Solhaug Solheim Solli Sollid Sollie Sollien
        Solrun Solstad Soltvedt Solum Solvang Solveig Solvor Solvår Solås Soma Sondre Sonia Sonja
        Sophia Sophie Sora Sorrel Sortland Soto Sparrow Spencer Stacey Stacy Standal Stang
        Stangeland Stanislaw Stav Steen Stefan Steffan Steffen Steffensen Stein Steinar Steine
        Steinsland Steinsvik Stella Sten Stenberg Stene Stenersen Stensby Stenseth Stensland
        Stensrud Stephan Stephanie Stephen Stephens Steve Steven Stevens Stewart Stian Stien Stig
        Stina Stine Stokka Stokke Stokkeland Stone Storhaug Storli Storm Stormo Stormy Storsveen
        Storvik Strand Straume Strøm Strømme Strømmen Strømsnes Stubberud Sture Sturla Ståle
        Stéphane Støle Stølen Sullivan Sultan Sumaya Summer Sund Sundal Sundby Sunde Sundet Sundt
        Sunniva Sunny Susan Susana Susann Susanna Susanne Suzanne Suárez Svanhild Svarstad Sveen
        Svein Svein-Erik Sveinung Sven Svend Svendsen Svenn Svensen Svensson Sverre Svetlana Sveum
        Sydney Syed Sylte Sylvi Sylvia Sylwester Sylwia Synne Synnøve Synøve Syver Syversen
        Syvertsen Szymon Sáez Sánchez Sävel Sæbø Sæle Sæter Sæther Sæthre Sætre Søberg Sølve Sølvi
        Sørby Sørbø Søreide Søren Søreng Sørensen Sørgård Sørheim Sørli Sørlie Sørum Sørvik Søvik
        Søyland Tadas Tadeo Tadeusz Tage Tal Tale Tamara Tandberg Tangen Tanja Tanner Tanya Tara
        Tarald Taraldsen Taran Tarjei Tarsicio Tatiana Tatjana Tatum Taylor Tea Teagan Teal Ted
        Tegan Tehi Teigen Teigland Tellef Tellefsen Temple Teo Teodor Teodora Teodosia Teresa
        Terese Terje Terjesen Terra Texas Teófanes Teófila Thale Thanh Tharaldsen Thea Thelma Theo
        Theodor Theresa Therese Thi Thomas Thomassen Thompson Thomsen Thon Thor Thora Thorbjørn
        Thorbjørnsen Thordis Thore Thoresen Thorkildsen Thorleif Thormod Thorsen Thorstein
        Thorstensen Thorvald Thorvaldsen Thu Thue Thune Thuy Tia Tiam Tiera Tierney Tiffany Tilde
        Tim Timoteo Timothy Tina Tine Tiril Tirill Tito Tjelta Tobias Tobiassen Tobías Toft Tofte
        Toive Tollefsen Tom Tom-Erik Tomas Tomasz Tomine Tommie Tommy Tomomi Tomás Tone Toni Tonje
        Tonny Tony Toprak Tor Tor-Arne Tor-Erik Tora Toralf Torben Torbjørg Torbjørn Tord Tordis
        Tore Torfinn Torgeir Torger Torgersen Torgrim Torgunn Torhild Tori Toribio Toril Torild
        Torill Torje Torjus Torkel Torkil Torkild Torkildsen Torleif Torleiv Tormod Torodd Torp
        Torres Torrey Torry Torstein Torsvik Torun Torunn Torvald Torvik Tory Totland Tove Tracy
        Tran Travis Trenton Trevor Trine Trine-Lise Trinidad Trinity Tristan Tron Trond Trondsen
        Tronstad Troy Trude Truls Trygve Trym Tsubasa Tsukasa Tucker Tufte Turhan Turi Turid
        Turner Tutku Tuva Tvedt Tveit Tveiten Tveter Tyler Tyra Tønnes Tønnesen Tønnessen Ubaldo
        Ueland Ufuk Ulf Ulla Ulli Ulrik Ulrikke Ulriksen Ulvestad Umber Umut Una Undheim Une Unn
        Unni Urbano Urdal Urszula Usman Utku Utne Vaidas Valborg Valen Valentin Valentina
        Valentine Valentín Valeria Valeriano Valerie Valle Van Vanesa Vanessa Vang Vangen Vanja
        Vargas Vasquez Vatland Vatne Vebjørn Vedvik Vega Vegar Vegard Veland Velasco Velerio
        Vemund Venancio Venche Venke Venni Ventura Vera Veronica Veronika Verónica Veslemøy Vestby
        Vestli Vestre Vetle Vibecke Vibeke Vicenta Vicente Victor Victoria Victorino Victorio Vida
        Vidal Vidar Vieno Vigdis Viggo Viivi Vik Vikan Viken Viktor Viktoria Viktorija Viky Vilde
        Vilhelm Vilja Viljar Vilje Vilka Villy Vilma Vincent Vindenes Vinje Viola Violeta Virgilio
        Virginia Vivi Vivian Vladimir Vladimiro Vo Vold Volden Voll Vollan Vu Vytautas Vázquez
        Våge Vågen Vår Vårin Víctor Waage Wafaa Wagner Wahl Waldemar Walker Wallace Walle Wallis
        Walter Wang Wangen Wanja Ward Warren Washington Wathne Watson Waverly Weaver Webb Wells
        Wenche Wencke Wendy Wenke Wergeland Werner Weronika Wesley West Westby Westgaard White
        Widar Wieslaw Wigdis Wiggo Wiig Wiik Wik Wiktor Wiktoria Wilfredo Wilhelm Wilhelmsen
        William Williams Willie Willow Willy Wilma Wilson Windsor Winnie Winter Winther Wisdom
        Wojciech Wold Wood Woods Wren Wright Wyatt Wynne X Xavier Yael Yannick Yara Yarel Yasin
        Yasmin Yağmur Yeray Ylva Yngvar Yngve Yngvild Yolanda Yonas Yoshi Young Yousef Yusuf
        Yutaka Yuval Yvonne Yücel Yüksel Zacarías Zachariassen Zachary Zahra Zain Zainab Zakaria
        Zaqueo Zara Zbigniew Zdzislaw Zia Ziv Zoe Zoey Zofia Zohar Zuzanna Álvarez Álvaro Ángel
        Ángela Ángeles Áurea Ådne Åge Ågot Åsa Åse Åsen Åsheim Åshild Åslaug Åsmund Åsne Åsta
        Óscar Ødegaard Ødegård Øen Øie Øien Øistein Øivind Økland Øren Ørjan Ørnulf Østby Østensen
        Østgård Østli Østrem Øverby Øvergård Øverland Øverli Øverås Øvrebø Øye Øyen Øygarden
        Øystein Øyvind Úrsula
        """
}
