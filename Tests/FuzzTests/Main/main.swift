import Foundation

exit(FuzzProgram.run())
