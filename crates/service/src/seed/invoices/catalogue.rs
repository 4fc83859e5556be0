//! Names of buyers and goods for demo invoices, in Arabic and English.

/// `(Arabic, English)`
pub(super) type LocalizedName = (&'static str, &'static str);

/// First words of buyers' names.
pub(super) const NAMES: [LocalizedName; 24] = [
    ("النور", "Al-Noor"),
    ("النخيل", "Al-Nakheel"),
    ("الواحة", "Al-Waha"),
    ("الأفق", "Al-Ofoq"),
    ("الرواد", "Al-Rowad"),
    ("الفيصلية", "Al-Faisaliah"),
    ("الياسمين", "Al-Yasmin"),
    ("البيان", "Al-Bayan"),
    ("السلام", "Al-Salam"),
    ("الريان", "Al-Rayyan"),
    ("المدار", "Al-Madar"),
    ("الأصيل", "Al-Aseel"),
    ("الهدى", "Al-Huda"),
    ("الإبداع", "Al-Ibdaa"),
    ("القمة", "Al-Qimmah"),
    ("المنارة", "Al-Manara"),
    ("الجزيرة", "Al-Jazirah"),
    ("الوفاء", "Al-Wafa"),
    ("الشروق", "Al-Shorouq"),
    ("المستقبل", "Al-Mustaqbal"),
    ("الضيافة", "Al-Diyafa"),
    ("السهول", "Al-Suhool"),
    ("الرمال", "Al-Rimal"),
    ("اللؤلؤة", "Al-Luluah"),
];

/// Trades of buyers.
pub(super) const TRADES: [LocalizedName; 20] = [
    ("للمقاولات", "Contracting"),
    ("للتجارة", "Trading"),
    ("للمستلزمات الطبية", "Medical Supplies"),
    ("للأغذية", "Foods"),
    ("للنقل", "Transport"),
    ("للأثاث", "Furniture"),
    ("للإلكترونيات", "Electronics"),
    ("للاستشارات", "Consulting"),
    ("للتسويق", "Marketing"),
    ("للصيانة", "Maintenance"),
    ("للضيافة", "Hospitality"),
    ("للطباعة", "Printing"),
    ("للعقارات", "Real Estate"),
    ("للتعليم", "Education"),
    ("للسيارات", "Motors"),
    ("للمنسوجات", "Textiles"),
    ("لمواد البناء", "Building Materials"),
    ("للتقنية", "Technology"),
    ("للسفر", "Travel"),
    ("للزراعة", "Agriculture"),
];

/// An article: name, unit (UN/ECE Recommendation 20, and 21 with an X before it), and lowest and highest price in whole SAR.
pub(super) struct Article {
    pub(super) name: LocalizedName,
    pub(super) unit: &'static str,
    pub(super) price: (u64, u64),
}

const fn article(
    ar: &'static str,
    en: &'static str,
    unit: &'static str,
    least: u64,
    most: u64,
) -> Article {
    Article {
        name: (ar, en),
        unit,
        price: (least, most),
    }
}

/// The articles.
pub(super) const ARTICLES: [Article; 24] = [
    article("خدمات استشارية", "Consulting services", "HUR", 250, 900),
    article(
        "عقد صيانة شهري",
        "Monthly maintenance contract",
        "MON",
        1_500,
        9_000,
    ),
    article("ورق طباعة مقاس A4", "A4 printing paper", "XBX", 60, 140),
    article("حبر طابعة ليزر", "Laser printer toner", "C62", 180, 520),
    article("كرسي مكتب", "Office chair", "C62", 390, 1_450),
    article("مكتب خشبي", "Wooden desk", "C62", 800, 3_200),
    article("حاسب محمول", "Laptop computer", "C62", 2_400, 7_900),
    article("شاشة ٢٧ بوصة", "27-inch monitor", "C62", 650, 1_900),
    article(
        "ترخيص برنامج سنوي",
        "Annual software licence",
        "ANN",
        900,
        6_500,
    ),
    article("استضافة مواقع", "Web hosting", "MON", 120, 800),
    article("نقل بضائع", "Freight", "KMT", 3, 9),
    article("تخزين منصات", "Pallet storage", "MON", 45, 120),
    article("أسمنت بورتلاندي", "Portland cement", "TNE", 210, 290),
    article("حديد تسليح", "Reinforcing steel", "TNE", 2_300, 3_100),
    article("بلاط سيراميك", "Ceramic tiles", "MTK", 28, 160),
    article("دهان داخلي", "Interior paint", "LTR", 14, 48),
    article("قفازات طبية", "Medical gloves", "XBX", 18, 65),
    article("جهاز قياس الضغط", "Blood pressure monitor", "C62", 140, 620),
    article("تمور فاخرة", "Premium dates", "KGM", 25, 120),
    article("قهوة عربية", "Arabic coffee", "KGM", 60, 190),
    article("ضيافة مناسبات", "Event catering", "C62", 2_000, 18_000),
    article("قماش قطني", "Cotton fabric", "MTR", 12, 75),
    article("تدريب موظفين", "Staff training", "DAY", 1_800, 6_000),
    article("إيجار مركبة", "Vehicle rental", "DAY", 150, 700),
];

/// Reasons of credit notes.
pub(super) const REASONS: [&str; 4] = [
    "Goods returned · بضاعة مرتجعة",
    "Price corrected · تصحيح السعر",
    "Delivered less than invoiced · كمية أقل من المفوترة",
    "Contract ended early · إنهاء العقد مبكرًا",
];
