### الإدارة: الأشخاص والمستخدمون الآليون وقواعد الصلاحيات والباقة.

administration-sections = أقسام الإدارة
administration-people = الأشخاص
administration-machines = المستخدمون الآليون
administration-rules = قواعد الصلاحيات
administration-plan = الباقة
administration-error-last = لم يتغير شيء: لا بد أن يبقى للمنشأة مدير نظام يستطيع تسجيل الدخول. عيِّن مدير نظام آخر أولًا.
administration-error-last-rules = لم يتغير شيء: لا بد أن يبقى من يدير القواعد ويستطيع تسجيل الدخول. عيِّن مشغّلًا آخر أولًا.
administration-error-limit-elsewhere = لم يتغير شيء: لهذا الشخص دور في منشأة أخرى بلغت حد الأشخاص في باقتها. على مدير نظام فيها أن يوفّر مكانًا أولًا.
administration-error-own = لم يتغير شيء: لا يمكنك إجراء هذا على حسابك. يستطيع ذلك مدير نظام آخر.
administration-error-no-tokens = لا رموز وصول شخصية في هذه البيئة. استعمل معرّف التطبيق وسرّه الخاصين بالمستخدم الآلي.
administration-error-rules = لم يُنشر شيء: هذه القواعد تمنع من يجب ألا يُمنع، أو تعطيك أكثر مما لديك. افحصها لترى ذلك.
administration-error-state = لم يتغير شيء: تغيّرت الحال عما تعرضه هذه القائمة. راجعها من جديد.
administration-error-exists = لم يُضف أحد: اسم المستخدم هذا مستعمل، وقد يكون في منشأة أخرى. اختر غيره أو امنح صاحبه دورًا هنا.
administration-error-user-limit = لم يُضف أحد: لا تسمح باقة { $organization } بأشخاص آخرين.
administration-error-user-disabled = لم يتغير شيء: هذا الشخص معطّل. اسمح له بالدخول من جديد أولًا.
administration-error-user-gone = لم يتغير شيء: لا يوجد شخص كهذا هنا. تحقق من اسم المستخدم أو المعرّف.
administration-error-no-password = لم يتغير شيء: ليس للمستخدم الآلي كلمة مرور. يدخل بمعرّف التطبيق وسرّه.
administration-error-operator-role = لم يتغير شيء: دور مشغّل المنصة لمنشأة المشغّلين وحدها.
administration-error-role-exists = لم يتغير شيء: لدى هذا الشخص هذا الدور من قبل.
administration-error-role-gone = لم يتغير شيء: لم يعد لدى هذا الشخص هذا الدور. ستُقرأ القائمة من جديد.
administration-error-rate = لم يتغير شيء: وردت طلبات كثيرة في وقت قصير. انتظر دقيقة ثم أعد المحاولة.
administration-error-no-machine-user = لم يُنشأ رمز وصول: رموز الوصول الشخصية للمستخدمين الآليين فقط.
administration-error-token-credential = لم يُنشأ رمز وصول: لا يُنشئ رمزُ وصول شخصي رمزًا آخر. سجّل الدخول بدلًا من ذلك.
administration-error-token-exists = لم يُنشأ رمز وصول: سبق أن أنشأ هذا الطلب رمزًا. راجع القائمة.
administration-error-token-gone = لم يتغير شيء: لم يعد رمز الوصول هذا موجودًا. ستُقرأ القائمة من جديد.
administration-error-many-tokens = لم يُنشأ رمز وصول: بلغ هذا المستخدم الآلي الحد المسموح به من الرموز الصالحة. أبطل أحدها أولًا.
administration-error-tenant-exists = لم يُضف شيء: يوجد مشترك بهذا المعرّف.
administration-error-tenant-gone = لم يتغير شيء: لم يعد هذا المشترك موجودًا. ستُقرأ القائمة من جديد.
administration-error-domain-taken = لم يُضف شيء: هذا النطاق لمنشأة أخرى. اختر نطاقًا غيره.
administration-error-profile-complete = لم يتغير شيء: ملف المنشأة مكتمل من قبل. عدّله بدلًا من إكماله.
administration-error-profile-incomplete = لم يتغير شيء: يجب إكمال ملف هذا المشترك أولًا.
administration-error-plan-exists = لم يُضف شيء: توجد باقة بهذا المعرّف.
administration-error-authority-exists = لم يُضف شيء: لهذا المشترك جهة ضريبية من قبل. عدّلها بدلًا من إضافتها.
administration-error-directory-changed = لم يُنشر شيء: تغيّر أشخاص أو أدوار في هذه الأثناء. افحص القواعد من جديد.
administration-error-secret-lost = أُضيف المستخدم الآلي، لكن الرد الذي فيه سرّه فُقد، وتعذّر إنشاء سرّ جديد. عطّله في القائمة، ثم أضف غيره.
administration-error-already = لم يُضف شيء: هذا موجود من قبل. ستُقرأ القائمة من جديد.
administration-error-unknown-outcome = لم يصل رد، فلا يُعرف هل تم هذا. ولن يُعاد من تلقاء نفسه. ستُقرأ هذه الصفحة من جديد: راجعها قبل أن تعيد المحاولة.
administration-error-unknown-token = لم يصل رد، فلا يُعرف هل أُنشئ رمز وصول. إن ظهر رمز جديد في القائمة التي ستُقرأ من جديد فليس نصه لدى أحد: أبطله، ثم أنشئ غيره.
administration-error-unknown-tenant = لم يصل رد، فلا يُعرف هل أُضيف المشترك. ستُقرأ القائمة من جديد: راجعها قبل أن تضيفه مرة أخرى. وإن كان فيها فقد ضاع سرّ مستخدمه الآلي، ويستطيع مدير النظام لدى المشترك تعيين غيره.
administration-error-unknown-impersonation = لم يصل رد، فأنت لا تعمل باسم هذا الشخص. وإن أنشأت الخدمة رمز وصول فليس لدى أحد، وينتهي من تلقاء نفسه خلال ساعة. أعد المحاولة.
error-offline-administration = لا يوجد اتصال. لا تعمل الإدارة إلا باتصال، ولا يُرسل شيء منها لاحقًا من تلقاء نفسه. أعد المحاولة عند عودة الاتصال.
invalid-name = الاسم: اكتبه في سطر واحد، 200 محرف على الأكثر.
invalid-name-ar = الاسم بالعربية: سطر واحد، 200 محرف على الأكثر.
invalid-username = اسم المستخدم: من 1 إلى 254 محرفًا بلا مسافات، وليس من نطاق منشأة أخرى تدعو أشخاصها بنفسها.
invalid-email = البريد الإلكتروني: اكتب عنوانًا مثل name@example.com.
invalid-password = كلمة المرور: لا تُقبل هذه الكلمة. اختر أطول منها.
invalid-role = الدور: اختر دورًا تذكره القواعد ويحق لك منحه.
invalid-user = معرّف الشخص: اكتبه كما يُنسخ من قائمة خيارات الشخص تمامًا.
invalid-days = مدة الصلاحية: اختر عدد أيام أقل.
invalid-domain = النطاق: اكتب اسم نطاق مثل alkhair.example.
invalid-currency = العملة: ثلاثة أحرف من ISO 4217، مثل SAR.
invalid-country = البلد: حرفان من ISO 3166-1، مثل SA.
invalid-time-zone = المنطقة الزمنية: اكتب منطقة مثل Asia/Riyadh.
invalid-tax-id = الرقم الضريبي: اكتبه في سطر واحد، 200 محرف على الأكثر.
invalid-building = المبنى: سطر واحد، 200 محرف على الأكثر.
invalid-street = الشارع: اكتبه في سطر واحد، 200 محرف على الأكثر.
invalid-district = الحي: سطر واحد، 200 محرف على الأكثر.
invalid-city = المدينة: اكتبها في سطر واحد، 200 محرف على الأكثر.
invalid-postal-code = الرمز البريدي: سطر واحد، 200 محرف على الأكثر.
invalid-limit-documents = المستندات في الشهر: اكتب عددًا صحيحًا لا يقل عن 0، أو اترك الحقل فارغًا.
invalid-limit-requests = الطلبات في الدقيقة: اكتب عددًا صحيحًا لا يقل عن 0، أو اترك الحقل فارغًا.
invalid-limit-users = الأشخاص: اكتب عددًا صحيحًا لا يقل عن 0، أو اترك الحقل فارغًا.
invalid-kinds = أنواع المستندات: اختر نوعًا واحدًا على الأقل من القائمة.
invalid-languages = لغات المستندات: اختر العربية أو الإنجليزية أو كلتيهما.
invalid-authorities = الجهات الضريبية: أسماء من 1 إلى 64 محرفًا من الأحرف اللاتينية الصغيرة والأرقام والشُّرَط والشُّرَط السفلية.
invalid-adapter = المحوّل: اختر محوّلًا لدى الخدمة.
invalid-endpoint = العنوان: عنوان يبدأ بـ https وتسمح به البيئة.
invalid-mode = وقت تسليم المستندات: اختر أحد الخيارين.
invalid-authority-username = اسم المستخدم: 200 محرف لاتيني على الأكثر، بلا نقطتين رأسيتين.
invalid-authority-secret = السر: اكتبه مع اسم المستخدم، 4,000 محرف لاتيني على الأكثر.
invalid-comment = السبب: اكتب نصًا أقصر.
invalid-other = قيمة أخرى لا تُقبل. تذكرها التفاصيل.
administration-error-aborted = لم يُنشر شيء: نشر شخص آخر قواعد في هذه الأثناء. تراها الآن وفوقها تعديلاتك إن وُجدت: راجعها وافحصها من جديد.
administration-error-gone = لم يعد هذا موجودًا. ستُقرأ القائمة من جديد.
administration-error-invalid = لم يتغير شيء: لا تقبل الخدمة هذا النموذج.
user-active = يستطيع الدخول
user-invited = مدعو
user-passwordReset = عليه تعيين كلمة مرور
user-disabled = لا يستطيع الدخول
form-discard-question = هل تتجاهل ما كتبته؟
form-discard = تجاهله
form-secret-awaited = الرد في الطريق، وفيه سرّ يُعرض مرة واحدة، لذلك يبقى هذا النموذج مفتوحًا حتى يصل.
form-conflict = لم يُحفظ شيء: عدّل شخص آخر هذا منذ فتحته. في النموذج الآن القيم التي حفظها، وفوقها ما كتبته. راجعه ثم احفظ من جديد.
form-conflict-typed = ما كتبته: { $value }
secret-once = يُعرض هذا مرة واحدة. بعد إغلاقه لا يستطيع أحد رؤيته.
secret-title = احفظ هذا الآن
secret-hint = انسخه إلى حيث يقرؤه البرنامج، ولا تضعه في غيره.
secret-copy = نسخ: { $what }
secret-done = حفظته
secret-close-question = هل حفظته؟ لن يستطيع أحد رؤيته مرة أخرى.
people-search = الاسم أو اسم المستخدم أو البريد الإلكتروني
people-invite = دعوة
people-none = لا أحد هنا بهذا الاسم.
people-other = من منشأة أخرى
people-name = الاسم
people-username = اسم المستخدم
people-menu = تعديل { $name }
people-copy-id = نسخ المعرّف
people-grant = منح دور
people-revoke-section = سحب دور
people-sign-in = تسجيل الدخول
people-invite-again = دعوة جديدة…
people-reset-open = إعادة تعيين كلمة المرور…
people-endSessions-open = إنهاء كل الجلسات…
people-disable-open = تعطيل…
people-enable = السماح بالدخول من جديد
people-revoke = سحب الدور
people-revoke-title = سحب دور من { $name }؟
people-revoke-hint = { $role }: تنتهي الصلاحيات المرتبطة به مع الطلب التالي.
people-revoke-own-hint = { $role }: هذا دورك أنت. تفقد الصلاحيات المرتبطة به مع طلبك التالي، ولا يعيده إليك إلا شخص آخر.
people-reset = إعادة التعيين
people-reset-title = إعادة تعيين كلمة مرور { $name }؟
people-reset-hint = تنتهي كلمة المرور الحالية وكل الجلسات فورًا. وتحصل على رمز تسلّمه لتُعيَّن به كلمة مرور جديدة.
people-endSessions = إنهاء الجلسات
people-endSessions-title = إنهاء كل جلسات { $name }؟
people-endSessions-hint = يُسجَّل الخروج من كل الأجهزة فورًا. تبقى كلمة المرور، ويمكن الدخول من جديد.
people-disable = تعطيل
people-disable-title = تعطيل { $name }؟
people-disable-hint = تنتهي كل الجلسات فورًا، ولا يمكن الدخول حتى تسمح به من جديد. تبقى الأدوار والمستندات.
invite-title = دعوة إلى { $organization }
invite-username-hint = البريد الإلكتروني عادةً، وبه يكون تسجيل الدخول.
invite-role = الدور
invite-hint = لا تُرسل رسالة بريد إلكتروني: تحصل على رمز وتسلّمه بنفسك.
code = الرمز
code-title = رمز { $name }
code-page = الصفحة التي يُدخل فيها
code-hint = سلِّم عنوان الصفحة واسم المستخدم والرمز، وليكن تسليم الرمز بطريقة أخرى إن أمكن. يُستعمل الرمز مرة واحدة حتى { $time }.
code-expires = الرمز صالح حتى { $time }
machines-hint = لبرامج تعمل في الدفاتر من تلقاء نفسها. لكل منها سرّ خاص، وليس لأي منها صلاحية إدارة.
machines-add = إضافة مستخدم آلي
machines-none = لا يوجد مستخدمون آليون بعد.
machines-name = الغرض منه
machines-name-hint = مثل «الاستيراد الليلي».
machines-disable-of = تعطيل { $name }…
machines-enable-of = السماح بالدخول من جديد: { $name }
machines-disable-hint = تنتهي رموزه فورًا، ويتوقف البرنامج الذي يستعمله هنا.
client-id = معرّف التطبيق
client-secret = سرّ التطبيق
tokens = رموز الوصول
tokens-of = رموز الوصول: { $name }
tokens-none = ليس له رمز وصول شخصي.
tokens-mint = إنشاء رمز وصول
tokens-mint-title = رمز وصول لـ{ $name }
tokens-name = الغرض منه
tokens-days = مدة الصلاحية
tokens-days-count = { $count ->
    [zero] لا أيام
    [one] يوم واحد
    [two] يومان
    [few] { $count } أيام
    [many] { $count } يومًا
   *[other] { $count } يوم
}
tokens-token = رمز الوصول { $name }
tokens-revoked = أُبطل في { $time }
tokens-expired = انتهى في { $time }
tokens-expires = حتى { $time }
tokens-revoke = إبطال
tokens-revoke-of = إبطال { $name }…
tokens-revoke-title = إبطال { $name }؟
tokens-revoke-hint = يتوقف ما يستعمله مع طلبه التالي. ولا يمكن التراجع.
rules-hint = ما يُسمح به لكل دور في كل منشآت هذه البيئة. ولا يسري التعديل إلا بعد نشره.
rules-filter = البحث عن صلاحية
rules-table = الصلاحيات بحسب الدور
rules-scope = الصلاحية
rules-none-found = لا صلاحية تطابق هذا البحث.
rules-cell = { $role }: { $scope }
rules-cell-changed = تغيّرت ولم تُنشر بعد
rules-decided-for-all = ممنوعة على كل الأدوار
rules-decided-by-group = ممنوعة ضمن { $group }
rules-changed = { $count ->
    [0] لم يتغير شيء.
    [zero] لم يتغير شيء.
    [one] تغيّرت خانة واحدة.
    [two] تغيّرت خانتان.
    [few] تغيّرت { $count } خانات.
    [many] تغيّرت { $count } خانة.
   *[other] تغيّرت { $count } خانة.
}
rules-on-another-version = نُشر الإصدار { $number } في هذه الأثناء، وصارت تغييراتك مطبّقة عليه. راجعها وافحصها من جديد قبل النشر.
rules-discard = تجاهل التعديلات
rules-check = فحص
rules-publish = نشر
rules-published = نُشر الإصدار { $number }، وهو يحكم الطلب التالي لكل مستخدم.
rules-comment = السبب، لقائمة الإصدارات
rules-publishable = يمكن نشر هذه القواعد.
rules-not-publishable = لا يمكن نشر هذه القواعد.
rules-violation-role = الدور { $name } مكرر، أو اسمه لا يصلح لدور.
rules-violation-emptyRole = الدور { $name } لا يسمح بشيء ولا يمنع شيئًا.
rules-violation-permission = ليس لدى الخدمة الصلاحية { $name }.
rules-violation-other = لا تقبل الخدمة هذه القواعد، وما تقوله في التفاصيل.
rules-cells = { $count ->
    [0] لا تتغير أي صلاحية.
    [zero] لا تتغير أي صلاحية.
    [one] تتغير صلاحية واحدة:
    [two] تتغير صلاحيتان:
    [few] تتغير { $count } صلاحيات:
    [many] تتغير { $count } صلاحية:
   *[other] تتغير { $count } صلاحية:
}
rules-gains = يُمنح دور { $role }: { $permission }
rules-loses = يُسحب من دور { $role }: { $permission }
rules-more = وغير ذلك: { $count }
rules-losing = { $count ->
    [0] لا يفقد أحد صلاحية.
    [zero] لا يفقد أحد صلاحية.
    [one] يفقد شخص واحد صلاحيات:
    [two] يفقد شخصان صلاحيات:
    [few] يفقد { $count } أشخاص صلاحيات:
    [many] يفقد { $count } شخصًا صلاحيات:
   *[other] يفقد { $count } شخص صلاحيات:
}
rules-unheld = لن تكون لأحد:
finding-rules-publisherLockedOut = لن تستطيع إدارة القواعد بعد ذلك.
finding-rules-rulesLockedOut = لن يستطيع أحد إدارة القواعد بعد ذلك.
finding-rules-administrationLockedOut = لن يبقى لهذه المنشآت من يديرها:
finding-rules-publisherGains = ستمنح نفسك:
finding-rules-other = ترفضها الخدمة:
rules-versions = الإصدارات
rules-version = الإصدار { $number }
rules-built-in = الأصلية
rules-current = سارية
rules-restore = إعادة العمل بها
rules-restore-of = إعادة العمل بها: الإصدار { $number }
rules-restore-title = إعادة العمل بالإصدار { $number }؟
rules-restore-hint = تُنشر إصدارًا جديدًا بعد الفحوص نفسها، وتحكم الطلب التالي لكل مستخدم.
rules-restored = عودة إلى الإصدار { $number }
plan-none = بلا باقة: لا حدود
plan-documents = مستندات هذا الشهر
plan-users = الأشخاص
plan-requests = الطلبات في الدقيقة الأخيرة
plan-month-end = يبدأ العدّ من جديد في { $date }.
plan-unlimited = بلا حد
plan-api = يمكن للبرامج استعمال الخدمة بمستخدمين آليين.
plan-no-api = لا تشمل هذه الباقة وصول البرامج.
