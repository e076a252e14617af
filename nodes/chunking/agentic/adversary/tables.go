package adversary

// spelledNumber is the number that an English word stands for.
func spelledNumber(word string) (string, bool) {
	switch word {
	case "two":
		return "2", true
	case "three":
		return "3", true
	case "four":
		return "4", true
	case "eight":
		return "8", true
	case "eleven":
		return "11", true
	case "twelve":
		return "12", true
	case "sixteen":
		return "16", true
	case "forty":
		return "40", true
	case "zwei":
		return "2", true
	}
	return "", false
}

// thirdPerson reports the pronouns that a statement cannot begin with.
func thirdPerson(word string) bool {
	switch word {
	case "he", "she", "it", "they", "his", "her", "its", "their", "him", "them", "this", "these", "those", "er", "sie", "es", "ihr", "ihre", "sein", "seine":
		return true
	}
	return false
}
