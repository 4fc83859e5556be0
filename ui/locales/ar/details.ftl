### حقول المحرر قليلة الاستعمال، وأسباب الإعفاء، والأسعار شاملة الضريبة، وكيفية حساب المبالغ.

editor-change-invoice = تعديل الفاتورة
editor-change-creditNote = تعديل الإشعار الدائن
editor-change-debitNote = تعديل الإشعار المدين
more-document = المزيد عن هذا المستند
more-line = المزيد عن هذا البند
more-line-number = المزيد عن البند { $line }
more-errors = { $count ->
    [zero] لا أخطاء
    [one] خطأ واحد
    [two] خطآن
    [few] { $count } أخطاء
    [many] { $count } خطأً
   *[other] { $count } خطأ
}
group-references = المراجع
group-period = الفترة
group-payment = الدفع والمستفيد
group-allowances = الخصومات والرسوم
group-taxCurrency = عملة الضريبة وسعر الصرف
group-prepaid = المدفوع مقدمًا والتقريب
field-period-start = من
field-period-end = إلى
field-means-of-payment = وسيلة الدفع
field-account = الحساب (آيبان)
field-account-name = صاحب الحساب
field-provider = البنك (رمز السويفت)
field-remittance = نص التحويل
field-exemption-reason = نص سبب الإعفاء
field-kind = النوع
field-amount = المبلغ
field-percent = النسبة المئوية
field-base = مبلغ الأساس
field-reason-code = السبب
field-reason-text = نص السبب
field-of-item = { $field }، { $kind } { $item }
kind-of-item-any = خصم أو رسم
add-allowance = إضافة خصم
add-charge = إضافة رسم
remove-item = إزالة { $kind } { $item }
item-removed = أُزيل. التراجع يعيده.
base-of-document = إن تُرك فارغًا: مجموع البنود
base-of-line = إن تُرك فارغًا: مبلغ البند
amount-computed = إن تُرك فارغًا: يُحسب
none-chosen = بلا
same-currency = كعملة المستند
exchange-rate-hint = { $tax } مقابل 1 { $currency }
# A buyer was chosen whose remembered currency is another one than that of the document.
buyer-currency-kept = العملة المعتادة لفوترة { $name } هي { $other }. تبقى عملة المستند { $own } لأن فيه مبالغ.
buyer-currency-change = التغيير إلى { $currency } دون تحويل المبالغ
# Somebody has left the form before the answer came.
similar-unseen = لم يُرسل المستند إلى { $organization }: للمشتري نفسه مستند بالمبلغ نفسه. لتقرر، افتحه في «مسودات غير مرسلة» واحفظه من جديد.
similar-offline = لا يوجد اتصال، ولذلك لم يُقارَن إلا بما يعرفه هذا الحاسوب. وقبل إرسال المستند تُسأل الخدمة أيضًا.
similar-kept = لم تُرسل: يوجد مستند لهذا المشتري بهذا المبلغ: { $documents }.
similar-open = فتح { $document }
similar-send = إرسالها رغم ذلك
similar-send-of = إرسالها رغم ذلك: { $draft }
not-sent-unseen = لم يُرسل المستند إلى { $organization }: يحتاج إلى مراجعتك أولًا. ما كتبته محفوظ: افتحه في «مسودات غير مرسلة» واحفظه من جديد.
# Fills in the remembered buyer whose tax id was typed.
use-known-buyer = استخدام بيانات هذا المشتري
# A buyer that another organization of the account alone has invoiced, or the organization itself.
buyer-known-elsewhere = المشتري { $buyer } معروف لدى { $other }، وليس معروفًا حتى الآن لدى { $own }. هل هذه هي المنشأة الصحيحة؟
buyer-is-own = هذا هو الرقم الضريبي الخاص بـ { $own } نفسها. هل هذا هو المشتري الصحيح؟
buyer-doubt-agree = نعم
# The buyer as it was typed is remembered otherwise, or a saved document says something else than is remembered.
known-other-tax-id = الرقم الضريبي المحفوظ لـ { $name } هو { $taxId }.
known-without-tax-id = البيانات المحفوظة لـ { $name } بلا رقم ضريبي.
known-other-name = هذا المشتري محفوظ باسم { $name }.
keep-new-details = حفظ البيانات الجديدة
keep-details = حفظ البيانات الجديدة لـ { $name }
keep-all-details = حفظ الكل
leave-details = إبقاء المحفوظ كما هو
details-kept = حُفظت البيانات الجديدة لـ { $name }.
all-details-kept = حُفظت كل البيانات الجديدة.
differs-from-remembered = تختلف البيانات المحفوظة لـ { $name } عن هذا المستند: { $parts }.
differences-title = تختلف البيانات المحفوظة عن هذا المستند.
differences-more = { $count ->
    [zero] لا يختلف غيرها.
    [one] يختلف صنف آخر.
    [two] يختلف صنفان آخران.
    [few] تختلف { $count } أصناف أخرى.
    [many] يختلف { $count } صنفًا آخر.
   *[other] يختلف { $count } صنف آخر.
}
party-part-name = الاسم
party-part-taxId = الرقم الضريبي
party-part-address = العنوان
party-part-contact = بيانات الاتصال
party-part-identifiers = المعرّفات الأخرى
party-part-currency = العملة
party-part-paymentTerms = شروط الدفع
party-part-dueTerms = أجل السداد
item-part-name = الوصف
item-part-description = وصف الصنف
item-part-unit = الوحدة
item-part-price = سعر الوحدة
item-part-tax = الضريبة
# In a list of remembered buyers or items.
suggestion-forget-hint = ⁦Shift+Delete⁩، أو علامة الإغلاق، لإزالة اقتراح من هذه القائمة.
suggestion-forgotten = لم يعد يُقترح
suggestion-restored = عاد إلى الاقتراحات
action-memory = تعديل البيانات المحفوظة للمشترين والأصناف
error-memory-changed = عدّل شخص آخر البيانات المحفوظة في هذه الأثناء، ولم يُحفظ شيء من بياناتك بعد. قُرئت من جديد: راجعها ثم حاول مرة أخرى.
error-memory-exists = هذا الرقم الضريبي أو الرمز محفوظ لمشترٍ آخر أو صنف آخر. لم يتغير شيء.
error-memory-gone = لم تعد هذه البيانات محفوظة. لم يتغير شيء.
error-memory-invalid = تخالف هذه البيانات إحدى القواعد، فلم يتغير شيء. صحّحها في المستند أولًا.
# In the list of all clients.
clients-unsent = { $count ->
    [zero] لا مسودات غير مرسلة على هذا الحاسوب
    [one] مسودة واحدة غير مرسلة على هذا الحاسوب
    [two] مسودتان غير مرسلتين على هذا الحاسوب
    [few] { $count } مسودات غير مرسلة على هذا الحاسوب
    [many] { $count } مسودة غير مرسلة على هذا الحاسوب
   *[other] { $count } مسودة غير مرسلة على هذا الحاسوب
}
price-base-hint = إن تُرك فارغًا: 1
iban-mistyped = أرقام التحقق غير متطابقة. قارن الرقم بما في خطاب البنك.
rounding-hint = مثل 0.02 أو ⁦-0.02⁩
held-allowances = { $count ->
    [zero] لا خصومات
    [one] خصم واحد
    [two] خصمان
    [few] { $count } خصومات
    [many] { $count } خصمًا
   *[other] { $count } خصم
}
held-charges = { $count ->
    [zero] لا رسوم
    [one] رسم واحد
    [two] رسمان
    [few] { $count } رسوم
    [many] { $count } رسمًا
   *[other] { $count } رسم
}
line-menu = البند { $line }: المزيد
price-with-tax = سعر شامل الضريبة…
price-with-tax-title = سعر شامل الضريبة، البند { $line }
field-price-with-tax = سعر الوحدة شاملًا الضريبة
price-with-tax-hint = أسعار المستند غير شاملة الضريبة. تُطرح من السعر ضريبة { $rate }.
net-price-found = سعر الوحدة غير شامل الضريبة
net-price-total = مبلغ البند شامل الضريبة
net-price-rounded = سعر الوحدة مقرّب، ويبقى مبلغ البند مطابقًا تمامًا لما كُتب.
net-price-none = لا يوجد سعر وحدة يجعل مبلغ البند { $typed } تمامًا، لأن الصافي والضريبة يُقرَّب كل منهما. أقرب سعر يجعله { $total }.
net-price-unreadable = اكتب رقمًا. ويحتاج البند إلى كمية أيضًا.
net-price-use = استعمال { $price }
net-price-use-nearest = استعمال الأقرب، { $price }
net-price-used = سعر الوحدة { $price }
paste-field-price-with-tax = سعر الوحدة شامل الضريبة
paste-no-number = ليس رقمًا
paste-prices-rounded = { $count ->
    [zero] لا بنود يُقرَّب سعرها.
    [one] لا يوجد لبند واحد سعر وحدة يساوي سعره الشامل للضريبة تمامًا، فيأخذ أقرب سعر.
    [two] لا يوجد لبندين سعر وحدة يساوي سعرهما الشامل للضريبة تمامًا، فيأخذان أقرب سعر.
    [few] لا يوجد لعدد { $count } بنود سعر وحدة يساوي سعرها الشامل للضريبة تمامًا، فتأخذ أقرب سعر.
    [many] لا يوجد لعدد { $count } بندًا سعر وحدة يساوي سعرها الشامل للضريبة تمامًا، فتأخذ أقرب سعر.
   *[other] لا يوجد لعدد { $count } بند سعر وحدة يساوي سعرها الشامل للضريبة تمامًا، فتأخذ أقرب سعر.
}
paste-prices-unreadable = { $count ->
    [zero] لا بنود بلا سعر وحدة.
    [one] بند واحد بلا سعر وحدة: سعره ليس رقمًا، أو كميته أو نسبة ضريبته ناقصة أو ليست رقمًا. اكتب السعر بعد الإدراج.
    [two] بندان بلا سعر وحدة: السعر ليس رقمًا، أو الكمية أو نسبة الضريبة ناقصة أو ليست رقمًا. اكتب السعر بعد الإدراج.
    [few] { $count } بنود بلا سعر وحدة: السعر ليس رقمًا، أو الكمية أو نسبة الضريبة ناقصة أو ليست رقمًا. اكتب السعر بعد الإدراج.
    [many] { $count } بندًا بلا سعر وحدة: السعر ليس رقمًا، أو الكمية أو نسبة الضريبة ناقصة أو ليست رقمًا. اكتب السعر بعد الإدراج.
   *[other] { $count } بند بلا سعر وحدة: السعر ليس رقمًا، أو الكمية أو نسبة الضريبة ناقصة أو ليست رقمًا. اكتب السعر بعد الإدراج.
}
explain-title = كيف حُسب هذا المبلغ
explain-back = العودة إلى { $amount }
explain-none = لا يمكن حساب هذا المبلغ بعد. املأ القيم المعلَّمة أولًا.
explain-rounded = القيمة التامة { $exact }، مقرّبة إلى الأبعد عن الصفر عند النصف
explain-rounded-before = القيمة التامة { $exact } قبل التقريب إلى الأبعد عن الصفر عند النصف
explain-cut = { $digits }…
explain-rule = { $term }، القاعدة { $rule }
explain-empty = لا شيء يُجمع.
amount-lines = مجموع البنود
amount-allowances = خصومات المستند
amount-charges = رسوم المستند
amount-net = المبلغ الصافي
amount-tax = الضريبة
amount-gross = الإجمالي شامل الضريبة
amount-payable = المبلغ المستحق
amount-taxInTaxCurrency = الضريبة بعملة الضريبة
amount-taxable = المبلغ الخاضع للضريبة، { $tax }
amount-row-tax = الضريبة، { $tax }
amount-line = البند { $line }
amount-rate = نسبة الضريبة
amount-item = { $kind } { $item }
amount-of-line = { $amount }، البند { $line }
sign-times = مضروبًا في
sign-percent = بالمئة منه
sign-divided = مقسومًا على
sign-plus = زائد
sign-minus = ناقص
key-line-details = المزيد عن هذا البند
key-price-with-tax = سعر شامل الضريبة
key-explain = كيف حُسب هذا المبلغ
allowance-reason-41 = مكافأة إنجاز قبل الموعد
allowance-reason-42 = مكافأة أخرى
allowance-reason-60 = خصم المصنّع للمستهلك
allowance-reason-62 = صفة عسكرية
allowance-reason-63 = إصابة عمل
allowance-reason-64 = اتفاق خاص
allowance-reason-65 = خصم عيب في الإنتاج
allowance-reason-66 = خصم منفذ جديد
allowance-reason-67 = خصم عينة
allowance-reason-68 = خصم نهاية التشكيلة
allowance-reason-70 = خصم شروط التسليم التجارية
allowance-reason-71 = خصم حد نقطة البيع
allowance-reason-88 = زيادة أو خصم على المواد
allowance-reason-95 = خصم
allowance-reason-100 = حسم خاص
allowance-reason-102 = خصم ثابت طويل الأجل
allowance-reason-103 = خصم مؤقت
allowance-reason-104 = خصم معتاد
allowance-reason-105 = خصم حجم التعامل السنوي
charge-reason-AA = إعلان
charge-reason-AAA = اتصالات
charge-reason-AAT = توصيل عاجل
charge-reason-ABK = متفرقات
charge-reason-ABL = تغليف إضافي
charge-reason-ADR = خدمات أخرى
charge-reason-ADT = استلام من الموقع
charge-reason-AEO = جمع وإعادة تدوير
charge-reason-CG = تنظيف
charge-reason-DL = توصيل
charge-reason-FC = شحن
charge-reason-FI = تمويل
charge-reason-HD = مناولة
charge-reason-LA = وضع الملصقات
charge-reason-PC = تعبئة
charge-reason-SAA = شحن ومناولة
charge-reason-SH = مناولة خاصة
charge-reason-TAC = فحص
charge-reason-ZZZ = حسب الاتفاق
payment-means-1 = غير محددة
payment-means-10 = نقدًا
payment-means-20 = شيك
payment-means-30 = تحويل بنكي
payment-means-31 = تحويل مدين
payment-means-42 = إلى حساب بنكي
payment-means-48 = بطاقة بنكية
payment-means-49 = خصم مباشر
payment-means-54 = بطاقة ائتمان
payment-means-55 = بطاقة خصم
payment-means-57 = اتفاق قائم
payment-means-58 = تحويل سيبا (SEPA)
payment-means-59 = خصم مباشر سيبا (SEPA)
payment-means-68 = خدمة دفع إلكترونية
payment-means-97 = مقاصة بين الشركاء
payment-means-ZZZ = حسب الاتفاق
exemption-SA-29 = الخدمات المالية (المادة 29)
exemption-SA-29-7 = عقد تأمين على الحياة (المادة 29)
exemption-SA-30 = التوريدات العقارية المعفاة (المادة 30)
exemption-SA-32 = صادرات السلع من المملكة
exemption-SA-33 = صادرات الخدمات من المملكة
exemption-SA-34-1 = النقل الدولي للسلع
exemption-SA-34-2 = النقل الدولي للركاب
exemption-SA-34-3 = خدمات النقل الدولي للركاب
exemption-SA-34-4 = توريد وسائل النقل المؤهلة
exemption-SA-34-5 = خدمات نقل السلع أو الركاب
exemption-SA-35 = الأدوية والمعدات الطبية
exemption-SA-36 = المعادن المؤهلة
exemption-SA-EDU = الخدمات التعليمية الخاصة للمواطنين
exemption-SA-HEA = الخدمات الصحية الخاصة للمواطنين
exemption-SA-MLTRY = السلع العسكرية المؤهلة
exemption-SA-DUTYFREE = سلع الأسواق الحرة
exemption-SA-DIPLOMAT = التوريدات للبعثات الدبلوماسية
exemption-SA-OOS = خارج نطاق ضريبة القيمة المضافة
exemption-EU-79-C = مصروفات دُفعت عن المشتري (المادة 79)
exemption-EU-132 = أنشطة للمصلحة العامة (المادة 132)
exemption-EU-132-1A = الخدمات البريدية العامة
exemption-EU-132-1B = الرعاية الطبية في المستشفيات
exemption-EU-132-1C = رعاية المهن الطبية
exemption-EU-132-1D = الأعضاء البشرية والدم والحليب
exemption-EU-132-1E = فنيو الأسنان وأطباء الأسنان
exemption-EU-132-1F = مجموعات تتقاسم تكلفة الخدمات
exemption-EU-132-1G = الرعاية والضمان الاجتماعي
exemption-EU-132-1H = حماية الأطفال والشباب
exemption-EU-132-1I = التعليم
exemption-EU-132-1J = الدروس الخاصة
exemption-EU-132-1K = موظفو المؤسسات الدينية
exemption-EU-132-1L = خدمات الجمعيات لأعضائها
exemption-EU-132-1M = الرياضة
exemption-EU-132-1N = الثقافة
exemption-EU-132-1O = فعاليات جمع التبرعات
exemption-EU-132-1P = نقل المرضى
exemption-EU-132-1Q = الإذاعة والتلفزيون العامان
exemption-EU-135-1 = التأمين والتمويل والعقار (المادة 135)
exemption-EU-143 = الواردات (المادة 143)
exemption-EU-144 = خدمات على سلع مستوردة (المادة 144)
exemption-EU-146-1E = خدمات على سلع مصدّرة (المادة 146)
exemption-EU-148 = النقل الدولي (المادة 148)
exemption-EU-151 = الدبلوماسيون والهيئات الدولية (المادة 151)
exemption-EU-153 = وسطاء التوريدات المعفاة (المادة 153)
exemption-EU-159 = خدمات على سلع في المستودعات (المادة 159)
exemption-EU-309 = وكلاء السفر خارج الاتحاد الأوروبي (المادة 309)
exemption-EU-D = نظام هامش وكلاء السفر
exemption-EU-F = نظام هامش السلع المستعملة
exemption-EU-I = نظام هامش الأعمال الفنية
exemption-EU-J = نظام هامش التحف
exemption-EU-AE = احتساب عكسي
exemption-EU-G = تصدير خارج الاتحاد الأوروبي
exemption-EU-IC = توريد إلى دولة أخرى في الاتحاد الأوروبي
exemption-EU-O = خارج نطاق ضريبة القيمة المضافة
