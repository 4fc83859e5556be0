### الأخطاء: ماذا حدث، وما الذي بقي سليمًا، وما العمل.

error-invalid = { $count ->
    [zero] لا شيء يمنع الحفظ.
    [one] أمر واحد يحتاج إلى عنايتك قبل الحفظ.
    [two] أمران يحتاجان إلى عنايتك قبل الحفظ.
    [few] { $count } أمور تحتاج إلى عنايتك قبل الحفظ.
    [many] { $count } أمرًا تحتاج إلى عنايتك قبل الحفظ.
   *[other] { $count } أمر تحتاج إلى عنايتك قبل الحفظ.
} لم يُرسل شيء إلى دفاتر { $organization }.
error-frozen-by = جمّد { $who } المستند { $number } في { $date }. المستند المجمّد لا يتغير، وتعديلاتك محفوظة في مسودة.
error-frozen = هذا المستند مجمّد. المستند المجمّد لا يتغير، وتعديلاتك محفوظة في مسودة.
error-state = تغيّرت حالة المستند منذ فتحته، فلم يعد هذا ممكنًا. تعديلاتك محفوظة في مسودة.
error-aborted = عدّل شخص آخر { $fields }. اختر لكل منها، ولن يُحفظ شيء قبل ذلك.
error-aborted-fields = عدّل شخص آخر هذا المستند وهو مفتوح عندك. اختر لكل حقل، ولن يُحفظ شيء قبل ذلك.
error-aborted-unread = عدّل شخص آخر هذا المستند وهو مفتوح عندك، وتعذّرت قراءة ما حفظه بعد. لم يضع شيء مما كتبته.
error-aborted-step = عدّل شخص آخر هذا المستند في هذه الأثناء. تراه الآن كما هو، فانظر فيه ثم أعد المحاولة.
error-exists-own = أنشأت محاولتك السابقة { $number } من قبل، ولم يُنشأ مستند ثانٍ.
error-merged = حفظ شخص آخر { $number } وأنت تعدّله. لم تتداخل تعديلاتك مع تعديلاته، فحُفظت فوقها.
error-exists = سبق حفظ مستند بهذا المعرّف. قارن قبل أن تتابع.
error-exists-unread = سبق حفظ مستند بهذا المعرّف ولا يمكن قراءته من هنا. لم يتغير فيه شيء، وما كتبته محفوظ في مسودة.
error-not-found = لم يعد هذا المستند موجودًا، أو أنه لمنشأة أخرى.
error-denied = لا يتيح لك دورك الحالي { $action } لدى { $organization }. عملك محفوظ.
error-session-ended = انتهى تسجيل دخولك إلى { $environment }. لم يضع شيء مما كتبته.
error-rate = الطلبات إلى { $organization } أكثر من المسموح. { $count ->
    [zero] لا شيء ينتظر الإرسال
    [one] عملية حفظ واحدة تنتظر
    [two] عمليتا حفظ تنتظران
    [few] { $count } عمليات حفظ تنتظر
    [many] { $count } عملية حفظ تنتظر
   *[other] { $count } عملية حفظ تنتظر
}، والتالية بعد { $seconds } ث.
error-rate-idle = الطلبات إلى { $organization } أكثر من المسموح. لم يضع شيء، وستتابع وحدها.
error-plan = لا تسمح باقة { $organization } بمستندات أخرى هذا الشهر. المسودة محفوظة.
error-organization = { $organization } غير متاحة الآن، أما منشآتك الأخرى فمتاحة.
error-no-organization = تعذّر على الخدمة معرفة المنشأة التي تنتمي إليها.
error-unavailable = الخدمة مشغولة ولم تنفّذ هذا بعد.
error-authority = الجهة الضريبية لا تستجيب. { $number } محفوظ لكنه لم يصدر.
error-internal = حدث خلل في الخدمة، وتفيد بأن شيئًا لم يتغير. يجده الدعم بهذا المعرّف: { $id }.
error-internal-no-id = حدث خلل في الخدمة، وتفيد بأن شيئًا لم يتغير.
error-offline-since = لا يوجد اتصال. ترى الحالة كما كانت في { $time }، وما تحفظه يبقى هنا ويُرسل لاحقًا.
error-offline-sign-in = لا يوجد اتصال، فلم يُسجَّل دخول أحد. المسودات على هذا الحاسوب محفوظة.
error-offline = لا يوجد اتصال. ما تحفظه يبقى هنا ويُرسل لاحقًا.
error-unknown-outcome = لم نتمكن من معرفة هل وصل هذا إلى { $organization }. يجري التحقق منه، فلا تُدخله مرة أخرى.
error-unexpected-response = ورد الرد من وسيط لا من الخدمة (رمز الحالة { $status })، ربما وكيل شبكة أو صفحة دخول إليها. لم يُستخدم شيء من ذلك الرد.
error-not-signed-in = لم يسجّل أحد الدخول. لم يضع شيء مما كتبته.
error-stale = انتقلت هذه النافذة إلى منشأة أخرى. لم يُرسل شيء.
error-not-granted = { $organization } ليست من المنشآت التي يمكنك العمل فيها.
error-draft-gone = لم تعد هذه المسودة على هذا الحاسوب.
error-draft-version = حُفظت هذه المسودة بإصدار آخر من التطبيق ولا يستطيع هذا الإصدار فتحها. المسودة محفوظة: افتحها بعد التحديث.
error-storage = تعذّر على هذا الحاسوب حفظ تعديلك الأخير: { $reason }. أبقِ هذه النافذة مفتوحة إلى أن يُحفظ.
error-account-not-read = تعذّرت على هذا الحاسوب قراءة من كان مسجّل الدخول: { $reason }. لم يُحذف شيء، ومسوداتك محفوظة. حاول مرة أخرى، أو سجّل الدخول.
error-bad-call = طلبت النافذة ما لا يعرفه التطبيق. هذا خطأ منا، ولم يُرسل شيء. إعادة تشغيل التطبيق تفيد غالبًا.
error-unknown-environment = لم تعد هذه البيئة معروفة هنا.
error-environment-refused = { $count ->
    [zero] لا شيء ناقص، ولم يتغير شيء.
    [one] شيء واحد ناقص أو خاطئ. لم يتغير شيء.
    [two] شيئان ناقصان أو خاطئان. لم يتغير شيء.
    [few] { $count } أشياء ناقصة أو خاطئة. لم يتغير شيء.
    [many] { $count } شيئًا ناقصًا أو خاطئًا. لم يتغير شيء.
   *[other] { $count } شيء ناقص أو خاطئ. لم يتغير شيء.
}
error-nothing-to-continue = لا يوجد تسجيل دخول ينتظر ردًا.
error-browser = تعذّر فتح متصفحك. انسخ الرابط وافتحه بنفسك.
error-callback-broken = هذا ليس رد تسجيل دخول. انسخ العنوان كاملًا كما انتهى إليه متصفحك.
error-callback-otherAttempt = هذا الرد لمحاولة دخول أخرى، فلم يُستخدم.
error-callback-otherIssuer = هذا الرد من مزوّد هوية آخر، فلم يُستخدم.
error-callback-tooLate = تأخر هذا الرد كثيرًا، فلم يُستخدم.
error-declined = رُفض تسجيل الدخول، ولم يدخل أحد.
error-refused = رفض مزوّد الهوية تسجيل الدخول ({ $code })، ولم يدخل أحد.
error-other-account = متصفحك مسجّل باسم { $username }، وهو شخص آخر. لم يتغير شيء هنا.
error-not-trusted = تعذّر التحقق من الرد ({ $check }) فلم يُستخدم، ولم يدخل أحد.
error-wrong-environment-pair = معرّف المشروع هذا لا يخص { $address }. العنوان ومعرّف المشروع يتغيران معًا دائمًا.
error-clock-ahead = { $minutes ->
    [zero] ساعة حاسوبك متقدمة.
    [one] ساعة حاسوبك متقدمة دقيقة.
    [two] ساعة حاسوبك متقدمة دقيقتين.
    [few] ساعة حاسوبك متقدمة { $minutes } دقائق.
    [many] ساعة حاسوبك متقدمة { $minutes } دقيقة.
   *[other] ساعة حاسوبك متقدمة { $minutes } دقيقة.
} يحتاج تسجيل الدخول إلى الوقت الصحيح.
error-clock-behind = { $minutes ->
    [zero] ساعة حاسوبك متأخرة.
    [one] ساعة حاسوبك متأخرة دقيقة.
    [two] ساعة حاسوبك متأخرة دقيقتين.
    [few] ساعة حاسوبك متأخرة { $minutes } دقائق.
    [many] ساعة حاسوبك متأخرة { $minutes } دقيقة.
   *[other] ساعة حاسوبك متأخرة { $minutes } دقيقة.
} يحتاج تسجيل الدخول إلى الوقت الصحيح.
error-vault-locked = مخزن كلمات المرور في نظامك مقفل. من دونه يبقى دخولك إلى أن تغلق النافذة فقط.
error-vault-absent = مخزن كلمات المرور غير متاح في نظامك. من دونه يبقى دخولك إلى أن تغلق النافذة فقط.
error-vault-waiting = مخزن كلمات المرور في نظامك ينتظرك، وربما كانت نافذة كلمة مرورها خلف هذه النافذة. يبقى دخولك قائمًا في الأثناء، ويُحفظ حالما يستجيب المخزن.
error-interrupted = توقف التطبيق وهو يجدّد دخولك. سجّل الدخول من جديد، ولم يضع شيء مما كتبته.
error-local-port = تعذّر تشغيل بيئة التدريب: شيء آخر يستخدم { $what }.
error-local-database = تعذّرت قراءة بيانات بيئة التدريب. لم يُحذف شيء، وهي هنا: { $what }
error-local-space = تعذّر تشغيل بيئة التدريب: لا مساحة كافية في { $what }.
error-local-other = تعذّر تشغيل بيئة التدريب. ملفاتها هنا: { $what }

action-list = عرض الفواتير
action-get = فتح الفواتير
action-create = إنشاء الفواتير
action-update = تعديل الفواتير
action-issue = إصدار الفواتير
action-freeze = تجميد الفواتير
action-people = إدارة الأشخاص
action-machines = إدارة المستخدمين الآليين
action-rules = إدارة قواعد الصلاحيات
action-other = القيام بهذا

act-goToFirst = الانتقال إلى أول خطأ
act-creditNote = إشعار دائن بتعديلاتي
act-discardDraft = حذف مسودتي
act-compare = مقارنة
act-open = فتحه
act-checkNow = تحقق الآن
act-openDrafts = اتركه لصندوق المسودات
act-showBoth = عرض التعديلين
act-tryAgain = أعد المحاولة
act-later = لاحقًا
act-showQueue = عرض قائمة الانتظار
act-cancel = إلغاء
act-copyForAdministrator = نسخ للمسؤول
act-backToList = العودة إلى القائمة
act-switch = تبديل المنشأة
act-copyRequest = نسخ طلب للمسؤول
act-refreshOrganizations = تحديث منشآتي
act-signIn = سجّل الدخول للمتابعة
act-tryNow = أعد المحاولة الآن
act-stop = إيقاف
act-copySupport = نسخ تفاصيل الدعم
act-startAgain = ابدأ من جديد
act-openAgain = افتحه مرة أخرى
act-copyLink = نسخ الرابط
act-paste = ألصق الرد
act-loopback = استخدم عنوان هذا الحاسوب بدلًا منه
act-unlock = فتح القفل
act-continueSession = المتابعة لهذه الجلسة
act-chooseEnvironment = اختيار بيئة
act-howToSetClock = كيف أضبطها

details = التفاصيل
detail-kind = النوع
detail-code = الرمز
detail-status = حالة HTTP
detail-operation = العملية
detail-organization = المنشأة
detail-time = الوقت
detail-correlation = معرّف الارتباط
detail-message = رسالة الخدمة
