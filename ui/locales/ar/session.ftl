### تسجيل الدخول والخروج، والبيئات، وحافظة المفاتيح، والساعة.

product = مكتب الفواتير
product-line = فواتير المنشآت التي تعمل لها
sign-in-title = تسجيل الدخول
environment = البيئة
environment-local = التدريب
environment-staging = بيئة الاختبار
environment-production = الإنتاج
environment-local-about = تعمل على هذا الحاسوب بدفاتر تجريبية، ولا يخرج منه شيء مما تفعله هنا.
environment-staging-about = للتجربة فقط، ولا أثر للمستندات فيها.
environment-production-about = دفاتر حقيقية، وكل ما تصدره هنا محسوب.
demo-accounts = حسابات للتدرّب:
demo-organizations = { $count ->
    [zero] بلا منشآت
    [one] منشأة واحدة
    [two] منشأتان
    [few] { $count } منشآت
    [many] { $count } منشأة
   *[other] { $count } منشأة
}
copy-username = نسخ اسم المستخدم { $username }
continue-in-browser = المتابعة في المتصفح
sign-in-why-browser = تُطلب كلمة مرورك في متصفحك أنت، لا في هذه النافذة أبدًا.
starting = جارٍ قراءة جلستك…
finishing = جارٍ التحقق من الرد الوارد من { $environment }…
waiting-title = سجّل الدخول في متصفحك
waiting-line = في انتظار عودة المتصفح من { $environment }.
waiting-slow = ما زلنا ننتظر متصفحك.
waiting-hint = حين تُتم الدخول هناك تتابع هذه النافذة وحدها.
waiting-other-ways = طرق أخرى
paste-label = ألصق الرد
paste-about = العنوان الذي انتهى إليه متصفحك، حتى إن لم تظهر صفحته.
paste-use = استخدام هذا الرد
loopback-about = يبدأ المحاولة من جديد ويعود الرد إلى عنوان على هذا الحاسوب. يفيد إذا كان المتصفح ممنوعًا من فتح التطبيقات.
sign-out = تسجيل الخروج
account-menu = حساب { $name }
language = اللغة
theme = المظهر
theme-system = كما في النظام
theme-light = فاتح
theme-dark = داكن
digits = الأرقام
digits-latin = 0 1 2 3
digits-arabic = ٠ ١ ٢ ٣
vault-title = لن يُحفظ تسجيل دخولك
vault-badge = الدخول لهذه الجلسة فقط
clock-title = اضبط ساعة هذا الحاسوب
clock-windows = ويندوز: الإعدادات، ثم الوقت واللغة، ثم التاريخ والوقت، ثم المزامنة الآن.
clock-mac = ماك: إعدادات النظام، ثم عام، ثم التاريخ والوقت، مع الضبط التلقائي.
clock-linux = لينكس: الإعدادات، ثم النظام، ثم التاريخ والوقت، تلقائيًا؛ أو الأمر timedatectl set-ntp true.
no-organizations = لا توجد منشأة يعمل فيها حسابك بعد. اطلب الصلاحية من المسؤول ثم حدِّث.
