// Writes goldens.json: token ids of OpenAI's own implementation (npm package
// tiktoken, its Rust code as WebAssembly, MIT). Run in a folder where
// `npm install tiktoken@1.0.22` was done:
//
//   node goldens.mjs > goldens.json
import { createRequire } from "node:module";
const { get_encoding } = createRequire(process.cwd() + "/")("tiktoken");

const rep = (s, n) => s.repeat(n);
const texts = [
  "", " ", "  ", "\n", "\r\n", "\t", "a", "Z", "9", ".", "é", "日", "😀", "\u0301", "\ufeff", "\u0000",
  "The harbour was quiet before the storm came in.",
  "She said: \"I'll go, you've been, they're here, he'd know, it's fine, I'm DON'T CAN'T WE'LL WE'RE\"",
  "don't Don'T DON'T 'tis 'S 'llama l'eau qu'il 'Ve", "it'ſ X", "rock'n'roll's 'round",
  "camelCaseWord PascalCaseWord SCREAMING_SNAKE_CASE snake_case kebab-case HTTPServer2XMLParser iPhone15Pro",
  "1 12 123 1234 12345 123456789 3.14159 1,000,000 0x1F 1e-9 ½ ² ٣ ४५६ 四 Ⅷ",
  "Die Straße führte über den Fluß; Äpfel, Öl, Übung. Donaudampfschifffahrtsgesellschaftskapitän",
  "L'été dernier, à Besançon, où j'étais, nous avons mangé des crêpes : « délicieux » !",
  "¿Dónde está el niño? ¡Aquí! El pingüino comió jalapeños.",
  "Perché no? È già così, però l'università è lontana.",
  "Смотритель зажёг фонарь до начала бури, и никто не спросил почему.",
  "守夜人在风暴来临之前点亮了灯。没有人问为什么！", "灯台守は嵐の前にランプを灯した。だれも理由を聞かなかった。", "カタカナとひらがなと漢字ABC",
  "등대지기는 폭풍이 오기 전에 등불을 켰다. 아무도 이유를 묻지 않았다.",
  "रखवाले ने तूफान आने से पहले दीपक जलाया। किसी ने नहीं पूछा।", "أضاء الحارس المصباح قبل العاصفة. لماذا؟", "מנורה הודלקה לפני הסערה.",
  "คนเฝ้าประภาคารจุดตะเกียงก่อนพายุมา", "Ο φύλακας άναψε το φανάρι πριν από την καταιγίδα.", "Người gác đèn thắp đèn trước cơn bão.",
  "Zażółć gęślą jaźń", "ｆｕｌｌ ｗｉｄｔｈ １２３", "ﬁ ligature ﬂ", "e\u0301 cafe\u0301 n\u0303 \u0301ABC \u0301abc A\u0301B", "zero\u200bwidth\u200djoin\u00adsoft",
  "😀😃😄", "👨‍👩‍👧‍👦 family", "🏳️‍🌈 🇩🇪🇫🇷 👍🏽", "mixed 日本語 and English と emoji 🎉!", "日本A日本Ab日Aあ", "ǅungla ǈ ª º ʰ ˈstress",
  "function add(a, b) {\n  return a + b; // sum\n}\n", "def f(x):\n\treturn [i**2 for i in range(x) if i % 2 == 0]\n\n\n", "if err != nil {\n\t\treturn fmt.Errorf(\"read %q: %w\", name, err)\n\t}\n",
  "SELECT * FROM users WHERE id = 42 AND name LIKE '%o''b%';", "<div class=\"a b\"><p>Hi &amp; bye</p></div>", "{\"key\": [1, 2, {\"nested\": null}], \"s\": \"\\u00e9\\n\"}",
  "https://example.org/a/b?c=d&e=f#g user.name+tag@mail.example.com C:\\Users\\me\\file.txt ../../etc", "$ git log --oneline -3 | head\n#!/bin/sh\n", "a/b//c///d\n//\n/ x", "foo()/\n/bar", "!!\n\n//\r\n/",
  "| a | b |\n|---|---|\n| 1 | 2 |\n", "# Title\n\n- one\n- two\n\n```go\nx := 1\n```\n", "==== ---- **** ____ ~~~~ ####", "((((((((((", ")))))\n\n\n", "......", "!?!?!?", "…—–‘’“”„«»",
  "a  b", "a   b", "a\tb", "a\t\tb", "a \t b", "a\nb", "a\n\nb", "a\r\nb", "a \n b", "a\n  b", "a\n  ", "  \n  ", " \n \n \n", "\n\n\n\n\n", "\n \n  \n   x", "   leading", "trailing   ", "tabs\t\t\t\tand    spaces      mixed \t \t end",
  "\u00a0nbsp\u00a0\u00a0two", "ideographic\u3000space\u3000\u3000", "line\u2028sep\u2029para\u0085next\u000bvt\u000cff", " 5", "  5", "  !", "   !", "\n!", "\n\n 5",
  "<|endoftext|> is plain <|im_start|>text<|im_end|>", "[INST] <<SYS>>",
  rep("a", 10), rep("a", 97), rep("a", 1000), rep("A", 333), rep("aB", 200), rep("abc", 300), rep(" ", 50), rep(" ", 500) + "x", rep("\n", 300), rep(" \n", 200), rep("\t", 150), rep(".", 400), rep("-", 130), rep("=", 257), rep("1", 100), rep("ha", 77),
  rep("日", 120), rep("天地玄黄宇宙洪荒", 30), rep("😀", 90), rep("ह", 100), rep("กา", 80), rep("\u0301", 60), rep("日A", 70), rep("ABCdef", 60), rep("'", 99), rep("é", 111), rep("xyzzy ", 60), rep("Lorem ipsum dolor sit amet, ", 20),
  "supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis", "antidisestablishmentarianism".toUpperCase(), "aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQgZW5jb2RlZCBkYXRhIQ==", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
];
// Random mixtures, from a generator with a fixed seed.
let state = 12345;
const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648, Math.floor(state / 65536) % n);
const parts = ["a", "the", "The", "THE", "don't", "'s", "'ll", "'", "1", "12", "123", "日", "本", "か", "한", "é", "É", "ß", "ǅ", "ʰ", "\u0301", "😀", "\u200d", " ", " ", "  ", "\n", "\r\n", "\t", "/", "\\", ".", ",", "!", "(", ")", "=", "==", "_", "\u00a0", "\u3000", "ह", "ि", "ก", "่", "é", "ing", "tion", "XMLHttp"];
for (let i = 0; i < 120; i++) {
  let s = "";
  for (let n = 3 + random(25); n > 0; n--) s += parts[random(parts.length)];
  texts.push(s);
}
const cl = get_encoding("cl100k_base"), o2 = get_encoding("o200k_base");
const rows = texts.map((t) => JSON.stringify({ text: t, cl100k_base: [...cl.encode_ordinary(t)], o200k_base: [...o2.encode_ordinary(t)] }));
console.log("[\n" + rows.join(",\n") + "\n]");
