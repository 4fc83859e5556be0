### تسجيل الدخول والخروج، والبيئات، ومخزن كلمات المرور، والساعة.

product = مكتب الفواتير
product-line = فواتير المنشآت التي تعمل لها
sign-in-title = تسجيل الدخول
environment = البيئة
environment-local = التدريب
environment-staging = بيئة الاختبار
environment-production = البيئة الفعلية
environment-local-hint = تعمل على هذا الحاسوب بدفاتر تجريبية، ولا يخرج منه شيء مما تفعله هنا.
environment-staging-hint = للتجربة فقط، ولا أثر للمستندات فيها.
environment-production-hint = دفاتر حقيقية، وكل ما تصدره هنا نافذ.
environment-add = إضافة بيئة
environment-change = تعديل { $name }
environment-discard = تجاهل ما كُتب
environment-not-saved = لم يُحفظ هذا بعد. احفظه أو تجاهل ما كتبته.
environment-hint = يعطيك مدير النظام هذه القيم، وهي متلازمة. ألصق الوصف كاملًا لملء الحقول كلها.
environment-name = الاسم
environment-name-hint = أحرف لاتينية صغيرة وأرقام وشُرَط، مثل head-office. ويبقى كما هو.
environment-name-fixed = مسوداتك مرتبطة بهذا الاسم، لذلك يبقى.
environment-kind = الغرض منها
environment-field-authUrl = عنوان تسجيل الدخول
environment-field-baseUrl = عنوان الخدمة
environment-field-projectAudienceId = معرّف المشروع
environment-field-clientId = معرّف التطبيق
environment-field-namespace = نطاق الأسماء
environment-namespace-hint = اتركه كما هو ما لم يقل لك مدير النظام غير ذلك.
environment-network = شبكة شركتك
environment-field-proxy = الخادم الوكيل
environment-proxy-hint = فارغ: وكيل هذا الحاسوب. direct: بلا وكيل. أو عنوان مثل http://proxy.example.com:3128.
environment-field-caFile = ملف الشهادات
environment-caFile-hint = مسار ملف PEM فيه شهادات شركتك. يوثق بها هنا إضافة إلى شهادات هذا الحاسوب.
environment-copy = نسخ الوصف
environment-remove = إزالة
environment-remove-confirm = إزالتها
environment-wrong-empty = هذا الحقل مطلوب.
environment-wrong-characters = { $field ->
    [name] استعمل فقط الأحرف اللاتينية الصغيرة من a إلى z والأرقام والشُّرَط، 32 محرفًا على الأكثر.
    [namespace] استعمل فقط الأحرف اللاتينية الصغيرة من a إلى z والأرقام، 32 محرفًا على الأكثر، وابدأ بحرف.
   *[id] استعمل فقط الأحرف اللاتينية والأرقام والرموز، بلا مسافات ولا نقطتين رأسيتين ولا علامات اقتباس.
}
environment-wrong-taken = هذا الاسم لبيئة أخرى.
environment-wrong-notAnAddress = يجب أن يكون عنوانًا مثل https://sign-in.example.com ولا شيء بعده.
environment-wrong-notHttps = لا يُقبل هنا إلا https لأنه آمن.
environment-wrong-notAProxy = يجب أن يكون عنوانًا مثل http://proxy.example.com:3128 بلا اسم مستخدم ولا كلمة مرور، أو الكلمة direct.
environment-wrong-notReadable = لا يمكن قراءة هذا الملف.
environment-wrong-noCertificate = ليس في هذا الملف شهادة بصيغة PEM.
demo-accounts = سجّل الدخول هناك بأحد هذه الحسابات:
demo-password = كلمة المرور
demo-organizations = { $count ->
    [zero] بلا منشآت
    [one] منشأة واحدة
    [two] منشأتان
    [few] { $count } منشآت
    [many] { $count } منشأة
   *[other] { $count } منشأة
}
copy-username = نسخ اسم المستخدم { $username }
copy-password = نسخ كلمة مرور { $username }
continue-in-browser = المتابعة في المتصفح
sign-in-why-browser = تُطلب كلمة مرورك في متصفحك أنت، لا في هذه النافذة أبدًا.
preparing = جارٍ الاتصال بـ { $environment }…
preparing-local = جارٍ تجهيز بيئة التدريب. الفواتير التجريبية الكثيرة تحتاج بضع دقائق.
starting = جارٍ قراءة جلستك…
starting-slow = ربما يطلب نظامك كلمة مرور مخزن كلمات المرور، وقد يكون ذلك في نافذة أخرى. جلستك محفوظة فيه.
finishing = جارٍ التحقق من الرد الوارد من { $environment }…
waiting-title = سجّل الدخول في متصفحك
waiting-line = في انتظار عودة المتصفح من { $environment }.
waiting-slow = ما زال التطبيق في انتظار متصفحك.
waiting-hint = حين تُتم الدخول هناك تتابع هذه النافذة وحدها.
waiting-other-ways = طرق أخرى
paste-label = لصق الرد
paste-hint = العنوان الذي انتهى إليه متصفحك، حتى إن لم تظهر صفحته.
paste-use = استخدام هذا الرد
loopback-hint = يبدأ المحاولة من جديد ويعود الرد إلى عنوان على هذا الحاسوب. يفيد إذا كان المتصفح ممنوعًا من فتح التطبيقات.
sign-out = تسجيل الخروج
account-menu = حساب { $name }
language = اللغة
theme = السمة
theme-system = كما في النظام
theme-light = فاتح
theme-dark = داكن
digits = الأرقام
digits-latin = 0 1 2 3
digits-arabic = ٠ ١ ٢ ٣
vault-title = لن يُحفظ تسجيل دخولك
vault-title-waiting = مخزن كلمات المرور ينتظرك
vault-badge = الدخول لهذه الجلسة فقط
vault-badge-waiting = بانتظار مخزن كلمات المرور
session-ends = لا يمكن تجديد هذا الدخول. ينتهي في { $time }، وعندها يُطلب منك الدخول من جديد، ويبقى ما كتبته محفوظًا.
session-ends-badge = الدخول حتى { $time }
clock-title = اضبط ساعة هذا الحاسوب
clock-windows = ويندوز: الإعدادات، ثم الوقت واللغة، ثم التاريخ والوقت، ثم المزامنة الآن.
clock-mac = ماك: إعدادات النظام، ثم عام، ثم التاريخ والوقت، مع الضبط التلقائي.
clock-linux = لينكس: الإعدادات، ثم النظام، ثم التاريخ والوقت، تلقائيًا؛ أو الأمر timedatectl set-ntp true.
no-organizations = لا توجد منشأة يعمل فيها حسابك بعد. اطلب الصلاحية من مدير النظام ثم حدِّث.
