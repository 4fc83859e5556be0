### النافذة: صف العنوان والشريط الجانبي وشريط الحالة والاختصارات والمنشآت.

switcher-button = ، تبديل المنشأة
switcher-title = تبديل المنشأة
switcher-search = الاسم أو النطاق أو المعرّف
switcher-none = ليست لك منشأة بهذا الاسم.
home = الرئيسية
roles-as-of = محدَّثة حتى { $time }
rename = تغيير اسم { $organization }
alias = الاسم الذي تختاره لها
alias-hint = على هذا الحاسوب فقط. اتركه فارغًا ليظهر اسمها الأصلي.
alias-remove = إزالة الاسم
role-viewer = للاطلاع فقط
role-clerk = موظف حسابات
role-accountant = محاسب
role-administrator = مدير النظام
role-operator = مشغّل المنصة
search-label = البحث في الفواتير بالمشتري أو الرقم أو المبلغ
search-placeholder = المشتري أو الرقم أو المبلغ أو الرقم الضريبي
search-clear = مسح البحث
new-invoice = فاتورة جديدة
new-document-menu = طرق أخرى لبدء مستند
new-from-template = من قالب
new-from-file = من ملف فاتورة
navigation-label = الأقسام
invoices = الفواتير
drafts = مسودات غير مرسلة
administration = الإدارة
connectivity-online = متصل
connectivity-offline = لا يوجد اتصال
connectivity-ended = انتهت الجلسة
updated-at = آخر تحديث { $time }
writes-waiting = { $count ->
    [zero] لا عمليات حفظ قيد الانتظار، تُعاد بعد { $time }
    [one] عملية حفظ واحدة قيد الانتظار، تُعاد بعد { $time }
    [two] عمليتا حفظ قيد الانتظار، تُعادان بعد { $time }
    [few] { $count } عمليات حفظ قيد الانتظار، تُعاد بعد { $time }
    [many] { $count } عملية حفظ قيد الانتظار، تُعاد بعد { $time }
   *[other] { $count } عملية حفظ قيد الانتظار، تُعاد بعد { $time }
}
reads-waiting = { $count ->
    [zero] تُعاد المحاولة بعد { $time }
    [one] تُعاد المحاولة بعد { $time }
    [two] طلبان قيد الانتظار، يُعادان بعد { $time }
    [few] { $count } طلبات قيد الانتظار، تُعاد بعد { $time }
    [many] { $count } طلبًا قيد الانتظار، يُعاد بعد { $time }
   *[other] { $count } طلب قيد الانتظار، يُعاد بعد { $time }
}
pending-retries = في انتظار الإرسال أو القراءة
outage-safe = لم يضع شيء: ما كتبته محفوظ على هذا الحاسوب، والمسودات المنتظرة تُرسل حين تستجيب الخدمة.
outage-next = تُعاد المحاولة تلقائيًا، ويمكنك أن تكتب المسودات في الأثناء. إن طال الأمر فأعطِ تفاصيل الدعم لمدير النظام لديك.
outage-drafts = الانتقال إلى المسودات
trying-now = تُعاد المحاولة الآن…
trying-again = تُعاد المحاولة بعد { $seconds } ث.
org-id = معرّف المنشأة
render-error = تعذّر عرض هذه النافذة، والخطأ من التطبيق. ما كتبته محفوظ. افتح النافذة من جديد وتابع من حيث كنت.
reload-window = فتحها من جديد
close = إغلاق
choose = اختر…
cancel = إلغاء
save = حفظ
back = رجوع
loading = جارٍ التحميل…
copied = نُسخ
not-copied = تعذّر النسخ
from = من
to = إلى
open-calendar = فتح التقويم
this-organization = هذه المنشأة
this-environment = هذه البيئة
shortcuts = اختصارات لوحة المفاتيح
keys-everywhere = في كل مكان
keys-list = في القائمة
keys-document = مع الفاتورة
keys-editor = أثناء الكتابة
key-search = البحث
key-switch = تبديل المنشأة
key-pinned = الانتقال إلى منشأة
key-new = فاتورة جديدة
key-templates = فاتورة جديدة من قالب
key-language = العربية أو الإنجليزية
key-settings = الإعدادات
key-zoom-in = تكبير العرض
key-zoom-out = تصغير العرض
key-zoom-reset = الحجم العادي للعرض
key-end-impersonation = التوقف عن العمل باسم شخص آخر
key-shortcuts = اختصارات لوحة المفاتيح
key-move = الانتقال
key-select = التحديد
key-extend = توسيع التحديد
key-open = الفتح
key-filter = التصفية
key-edit = التعديل
key-issue = الإصدار
key-freeze = التجميد
key-credit = إشعار دائن
key-duplicate = تكرار
key-close = الإغلاق
key-delete = حذف مسودة محفوظة
key-issue-selection = إصدار المستندات المحددة
key-freeze-selection = تجميد المستندات المحددة
key-submit = الحفظ
key-submit-issue = الحفظ والإصدار
key-next-error = الخطأ التالي
key-previous-error = الخطأ السابق
key-next-section = القسم التالي
key-previous-section = القسم السابق
key-next-row = الصف التالي، أو صف جديد
key-move-line = نقل البند
key-remove-line = حذف البند
key-undo = تراجع
key-redo = إعادة
this-document = هذا المستند
