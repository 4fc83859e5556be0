### حسابات هذا الحاسوب: التبديل بينها، وعدم الحفظ، والإزالة.

accounts = الحسابات…
accounts-title = الحسابات
accounts-known = على هذا الحاسوب
account-active = قيد الاستعمال
account-not-remembered = غير محفوظ
account-switch = الانتقال إلى { $name }
account-continue = المتابعة باسم { $name }
account-used = { $environment }، آخر استعمال { $age }
account-remove = إزالة { $name }…
account-remove-title = إزالة { $name } من هذا الحاسوب؟
account-remove-hint = تنتهي الجلسة ويُحذف ما في هذا الحاسوب لهذا الحساب: القوائم المحفوظة وأسماؤك للمنشآت. أما الفواتير في الخدمة فتبقى كما هي.
account-remove-nothing = ليس له هنا مسودات ولا قوالب ولا ملفات منتظرة.
account-remove-data = ما يلي على هذا الحاسوب فقط. سيُحذف، وليس لدى الخدمة:
account-remove-drafts = { $count ->
    [zero] لا مسودات
    [one] مسودة واحدة لم تُرسل
    [two] مسودتان لم تُرسلا
    [few] { $count } مسودات لم تُرسل
    [many] { $count } مسودة لم تُرسل
   *[other] { $count } مسودة لم تُرسل
}
account-remove-templates = { $count ->
    [zero] لا قوالب
    [one] قالب واحد مع جدوله: لن تُنشأ منه مسودات بعد ذلك
    [two] قالبان مع جدوليهما: لن تُنشأ منهما مسودات بعد ذلك
    [few] { $count } قوالب مع جداولها: لن تُنشأ منها مسودات بعد ذلك
    [many] { $count } قالبًا مع جدوله: لن تُنشأ منه مسودات بعد ذلك
   *[other] { $count } قالب مع جدوله: لن تُنشأ منه مسودات بعد ذلك
}
account-remove-files = { $count ->
    [zero] لا ملفات
    [one] ملف واحد ينتظر إرفاقه بمستند
    [two] ملفان ينتظران إرفاقهما بالمستندات
    [few] { $count } ملفات تنتظر إرفاقها بمستندات
    [many] { $count } ملفًا ينتظر إرفاقه بمستند
   *[other] { $count } ملف ينتظر إرفاقه بمستند
}
account-remove-changed = تغيّر ما على هذا الحاسوب منذ عرضه. لم يُحذف شيء، فراجعه من جديد.
account-remove-confirm = حذف ذلك وإزالة الحساب
account-remove-only = إزالة الحساب
account-keep = إبقاؤه
account-another = الدخول بحساب آخر
account-another-start = المتابعة في المتصفح
remember-me = حفظ دخولي على هذا الحاسوب
remember-me-hint = بدونه تنتهي الجلسة مع هذه النافذة ولا يُحفظ منها شيء هنا. أما المسودات فتبقى، مشفّرة.
