### المستند المطبوع، وملفات المستندات، وملفات الفواتير من البرامج الأخرى.

paper = المستند المطبوع
paper-of = { $title } على الورق
paper-hide = إخفاء المستند المطبوع
paper-preview = معاينة
paper-language = لغة الطباعة
paper-english = الإنجليزية
paper-arabic = العربية
paper-both = العربية والإنجليزية
paper-smaller = تصغير
paper-larger = تكبير
paper-print = طباعة
paper-pages = الصفحات
paper-page = الصفحة { $page } من { $total }: { $title }
paper-more = { $count ->
    [zero] لا صفحات أخرى.
    [one] تُطبع صفحة أخرى.
    [two] تُطبع صفحتان أخريان.
    [few] تُطبع { $count } صفحات أخرى.
    [many] تُطبع { $count } صفحة أخرى.
   *[other] تُطبع { $count } صفحة أخرى.
}
paper-pdf = ‏PDF/A-3 وبداخله بيانات الفاتورة
paper-pdf-draft = ‏PDF يحمل علامة مسودة
paper-data = بيانات الفاتورة
paper-ubl-later = ‏UBL (XML)، بعد الإصدار
paper-saved = حُفظ باسم { $name }.
error-offline-file = لا يوجد اتصال، فتعذّر جلب المستند. لم يُطبع ولم يُحفظ شيء. أعد المحاولة عند عودة الاتصال.
error-not-printed = تعذّر إعداد صفحات هذا المستند. لم يتغيّر فيه شيء.
action-save = حفظ المستندات كملفات
action-print = طباعة المستندات
key-print = طباعة
key-paper = المستند المطبوع

key-import = فتح ملف فاتورة
import-file = فتح ملف فاتورة
import-drop = أفلت ملفات الفواتير لقراءتها
import-clipboard = الحافظة
import-title = ملف فاتورة: { $name }
import-title-of = ملف الفاتورة { $index } من { $count }: { $name }
import-reading = جارٍ قراءة الملف
import-content = محتوى الملف
import-close = إغلاق دون حفظ شيء
import-next = الملف التالي
import-left = { $count ->
    [zero] لا ملفات فواتير بانتظار الفتح.
    [one] ملف فاتورة واحد لم يُفتح بعد: { $files }.
    [two] ملفا فواتير لم يُفتحا بعد: { $files }.
    [few] { $count } ملفات فواتير لم تُفتح بعد: { $files }.
    [many] { $count } ملف فاتورة لم تُفتح بعد: { $files }.
   *[other] { $count } ملف فاتورة لم تُفتح بعد: { $files }.
}
import-more-files = { $count ->
    [zero] لا غيرها
    [one] ملف آخر
    [two] ملفان آخران
    [few] { $count } ملفات أخرى
    [many] { $count } ملفًا آخر
   *[other] { $count } ملف آخر
}
import-unread-file = ملف تتعذّر قراءته
import-forget = إغلاق دون فتح
import-create = إنشاء مسودة
import-kind = المستند
import-seller = البائع
import-format = الملف
import-syntax-xml = { $syntax }
import-syntax-pdf = { $syntax } داخل PDF
import-buyer = { $organization } هي المشتري في هذه الفاتورة، فهي ليست من فواتيرها. يمكنك فحصها هنا، ولا تُنشأ منها مسودة.
import-neither = ليست { $organization } البائع ولا المشتري في هذه الفاتورة. يمكنك فحصها هنا، ولا تُنشأ منها مسودة في هذه المنشأة.
import-unknown = الرقم الضريبي لـ { $organization } غير معروف على هذا الحاسوب بعد. تحقّق من البائع قبل إنشاء المسودة.
import-no-violations = لا يخالف الملف أي قاعدة من قواعد EN 16931 أو بلد البائع.
import-violations = { $count ->
    [zero] لا يخالف أي قاعدة
    [one] يخالف قاعدة واحدة
    [two] يخالف قاعدتين
    [few] يخالف { $count } قواعد
    [many] يخالف { $count } قاعدة
   *[other] يخالف { $count } قاعدة
}
import-more-violations = { $count ->
    [zero] لا مخالفات أخرى.
    [one] ومخالفة أخرى.
    [two] ومخالفتان أخريان.
    [few] و{ $count } مخالفات أخرى.
    [many] و{ $count } مخالفة أخرى.
   *[other] و{ $count } مخالفة أخرى.
}
import-unread = ما لا يدخل في المسودة
unread-number = تأخذ المسودة رقمها عند إصدارها.
unread-noField = لا حقل لهذا في المستندات.
unread-notInForm = لا حقل لهذا في النموذج.
unread-ofIssuedFile = هذا خاص بالملف الصادر: العدّاد والبصمة ورمز QR.
unread-otherTotal = إجمالي المسودة غير الإجمالي المذكور في الملف.
file-problem-unreadable = لا يمكن فتح هذا الملف: نُقل أو حُذف، أو ليست لديك صلاحية قراءته. لم يُحفظ منه شيء.
file-problem-empty = هذا الملف فارغ. لم يُحفظ منه شيء.
file-problem-tooLarge = هذا الملف أكبر من أن يكون فاتورة: الحد الأقصى لملف XML هو 4 م.ب ولملف PDF هو 16 م.ب. لم يُحفظ منه شيء.
file-problem-notAnInvoice = ليس هذا الملف فاتورة يمكن قراءتها. تُقرأ ملفات UBL وCII وملفات PDF التي بداخلها أحدهما. لم يُحفظ منه شيء.
file-problem-pdfWithoutInvoice = لا توجد داخل ملف PDF هذا بيانات فاتورة يمكن قراءتها. قد يكون صورة ممسوحة أو محميًا. اطلب ملف XML من المرسل.
file-problem-malformed = هذا الملف تالف: بنية XML فيه غير سليمة. اطلبه من المرسل مرة أخرى. لم يُحفظ منه شيء.
file-problem-documentType = في هذا الملف تعريف نوع مستند أو كيان لا تحتاجه أي فاتورة وتستخدمه الهجمات. لم يُقرأ ولم يُحفظ منه شيء.
file-problem-encoding = هذا الملف بترميز لا يُقرأ، أو بغير الترميز الذي يذكره. اطلبه من المرسل بترميز UTF-8.
file-problem-beyondLimits = في هذا الملف من الأسطر أو المستويات أو العناصر المجهولة ما يزيد على الفاتورة. لم يُقرأ إلى نهايته ولم يُحفظ منه شيء.
