package sentence

// kind says when a full stop behind an abbreviation does not end a sentence. In
// every kind lower case behind it means that the sentence goes on.
type kind int

const (
	// unlisted words, and those that do end a sentence before upper case.
	unlisted kind = iota
	// always: never at the end of a sentence (Dr., e.g.).
	always
	// beforeFigure: words of their own unless a figure follows (No. 5, Jan. 3).
	beforeFigure
	// beforeName: not at the end unless a common first word follows (Inc., Jr.).
	beforeName
	// ofTime: at the end unless a figure, weekday, month or zone follows (p.m.).
	ofTime
	// final: at the end before upper case, though it looks like initials (и т.д.).
	final
)

// kindOf looks up a word as written, without its last full stop. Upper and lower
// case matter: "Gen." is a rank and "gen." is not.
func kindOf(word string) kind {
	switch word {
	case // English
		"Dr", "Mr", "Mrs", "Ms", "Messrs", "Prof", "Rev", "Hon", "Gov", "Sen", "Rep", "Pres", "Gen", "Col", "Maj",
		"Capt", "Cpt", "Lt", "Sgt", "Cpl", "Cmdr", "Adm", "Supt", "St", "Ste", "Mt", "Ft", "DR", "MR", "MRS", "MS", "PROF",
		"e.g", "E.g", "i.e", "I.e", "eg", "cf", "Cf", "viz", "vs", "Vs", "approx", "Approx", "esp", "incl", "excl",
		"resp", "feat", "Feat", "ft", "Fig", "Figs", "Eq", "Eqs", "Eqn", "Sec", "Sect", "Tab", "Ref", "Refs", "Ch", "Vol",
		"Vols", "eds", "Eds", "seq", "Dept", "Univ", "Assn", "Attn", "Hdt", "Thos", "Wm", "Geo", "Chas", "a.k.a", "c.f", "N.B",
		// German
		"z.B", "Z.B", "zB", "d.h", "D.h", "u.a", "U.a", "o.g", "s.o", "s.u", "u.U", "z.T", "z.Zt", "z.Z", "i.d.R", "i.A", "i.V",
		"v.a", "o.a", "i.S", "m.E", "bzw", "ca", "Ca", "Nr", "Nrn", "vgl", "Vgl", "sog", "ggf", "Ggf", "evtl", "Evtl", "inkl", "exkl",
		"zzgl", "abzgl", "Hr", "Hrn", "Fr", "Frl", "Dipl", "Mag", "Abb", "Abs", "Abt", "Bd", "Bde", "Hrsg", "hrsg", "Kap", "Anm",
		"Aufl", "bspw", "Bspw", "geb", "gest", "gez", "jew", "lt", "max", "min", "mind", "phil", "med", "jur", "rer", "nat", "habil",
		"Std", "südl", "nördl", "östl", "westl", "ehem", "dt", "engl", "frz", "lat", "griech", "Tsd", "Mio", "Mrd", "Ing",
		// French
		"MM", "Mme", "Mmes", "Mlle", "Mlles", "Mgr", "Pr", "c.-à-d", "p.ex", "env", "éd", "Éd", "chap", "Chap", "av", "av.J.-C", "apr", "J.-C", "tél", "Tél", "bd",
		// Spanish and Portuguese
		"Sra", "Sras", "Sres", "Srta", "Srtas", "Dra", "Dres", "Dña", "Ud", "Uds", "Vd", "Vds", "Lic", "Arq", "Avda", "Profa", "p.ej", "P.ej",
		"pág", "págs", "Pág", "núm", "Núm", "núms", "EE", "Gral", "Cía", "Exmo", "Sto", "Sta", "Fdo", "aprox", "Aprox",
		// Italian
		"Sig", "sig", "Sigg", "Sig.ra", "sig.ra", "Sig.na", "Dott", "dott", "Dott.ssa", "dott.ssa", "Avv", "avv", "Geom", "Rag", "Prof.ssa", "prof", "Egr", "Gent", "Spett",
		"p.es", "cfr", "Cfr", "pag", "pagg", "cit", "S.p.A",
		// Russian
		"т.е", "Т.е", "т.к", "Т.к", "т.н", "т.о", "т.ч", "напр", "Напр", "см", "См", "ср", "Ср", "проф", "Проф", "акад", "доц", "им", "Им", "ул", "Ул",
		"просп", "пер", "пл", "наб", "обл", "гр", "св", "Св", "стр", "Стр", "рис", "Рис", "табл", "Табл", "гл", "Гл", "кв", "корп", "тов", "г-н", "г-жа", "англ", "лат", "нем", "фр", "греч", "род", "ред",
		// Hindi, Arabic, Hebrew
		"डॉ", "डा", "प्रो", "श्री", "श्रीमती", "सुश्री", "पं", "कु", "सं", "रु", "अ", "दे", "उदा":
		return always
	case "No", "no", "Rm", "Nos", "nos", "pp", "Pp", "PP", "fig", "figs", "eq", "ch", "vol", "vols", "sec", "art", "Art", "Arts", "para", "paras",
		"ver", "ed", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Okt", "Nov", "Dec", "Dez",
		"Mon", "Tue", "Tues", "Wed", "Thu", "Thur", "Thurs", "Fri", "Sat", "Sun", "Str", "str", "Tel", "tel", "Ext", "ext", "cap", "Cap",
		"vv", "Bl", "Z", "Rn", "Ziff", "Pos", "n", "hab", "ann", "tab", "abb", "nr", "kap", "app", "App", "Ps", "тел", "Тел", "млн", "млрд", "тыс", "руб", "п", "ст", "р":
		return beforeFigure
	case "Inc", "Ltd", "Co", "Corp", "Bros", "Jr", "Sr", "Esq", "Ph.D", "PhD", "M.D", "B.A", "M.A", "B.Sc", "M.Sc", "D.Phil", "LL.B", "LL.M",
		"Ave", "Blvd", "Rd", "Ln", "Sq", "Pl", "al", "GmbH", "Cie", "Cia", "Est", "est", "LLC":
		return beforeName
	case "a.m", "p.m", "A.M", "P.M":
		return ofTime
	case "a.C", "d.C", "o.Ä", "u.Ä", "u.ä", "o.ä", "u.s.w", "u.v.m", "т.д", "т.п", "n.e", "p.n.e", "A.D", "B.C", "C.E", "B.C.E", "г.г":
		return final
	}
	return unlisted
}

// opens reports whether word commonly begins a sentence and is no name. With
// names also those count that are surnames or initials' companions (He, An, So):
// behind an initial they may be names, behind "Inc." they are not.
func opens(word string, names bool) bool {
	switch word {
	case "The", "This", "That", "These", "Those", "It", "Its", "They", "Their", "There", "When", "Where", "While", "If", "But",
		"However", "And", "What", "Why", "Then", "Thus", "Therefore", "Although", "Because", "After", "Before", "During", "Since",
		"Meanwhile", "Moreover", "Nevertheless", "Nobody", "Every", "Each", "Some", "Most", "Many", "Our", "Your", "For", "With", "From", "Another", "Later", "Today",
		"Der", "Das", "Dies", "Diese", "Dieser", "Dieses", "Er", "Sie", "Es", "Wir", "Ich", "Dann", "Danach", "Aber", "Doch", "Jedoch",
		"Und", "Oder", "Wenn", "Als", "Weil", "Auch", "Eine", "Seitdem", "Niemand",
		"Le", "Les", "Il", "Elle", "Ils", "Elles", "Nous", "Vous", "Ce", "Cette", "Ces", "Mais", "Puis", "Ensuite", "Une",
		"El", "Los", "Las", "Ella", "Ellos", "Pero", "Luego", "Después", "Cuando", "También",
		"Gli", "Questo", "Questa", "Poi", "Quando", "Anche", "Però", "Ma",
		"Он", "Она", "Они", "Это", "Этот", "Мы", "Вы", "Но", "Затем", "Потом", "Когда", "Если", "Там", "Здесь", "Однако", "Никто":
		return true
	case "He", "She", "We", "You", "I", "In", "On", "At", "As", "An", "A", "No", "So", "My", "His", "Her", "By", "To", "Of", "Not", "One", "Two", "How", "Who", "Now", "Here",
		"Die", "Ein", "Im", "Am", "Zu", "La", "Lo", "Un", "En", "Una", "Je", "Tu", "Si", "Y", "В", "На", "Я", "С", "И", "А", "К", "О", "У":
		return names
	}
	return false
}

// namesTime reports what follows a time of day in the same sentence.
func namesTime(word string) bool {
	switch word {
	case "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
		"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec",
		"Eastern", "Central", "Mountain", "Pacific", "Greenwich", "GMT", "UTC", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "CET", "CEST", "BST", "IST", "ET", "PT", "CT":
		return true
	}
	return false
}
