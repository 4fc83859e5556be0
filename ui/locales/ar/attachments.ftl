### مرفقات المستندات.

attachments = المرفقات
attachment-add = إرفاق ملفات
attachment-save = حفظ
attachment-save-of = حفظ { $name } كملف
attachment-remove = إزالة
attachment-remove-of = إزالة { $name }
attachment-remove-title = إزالة هذا المرفق؟
attachment-remove-hint = يحتفظ السجل باسمه وحجمه دون محتواه. احفظ الملف أولًا إن كنت تحتاج إليه.
attachment-keep = الإبقاء عليه
attachment-removed = أُزيل المرفق.
attachment-adding = جارٍ إرفاق { $name }، { $index } من { $count }
attachments-added = { $count ->
    [zero] لم يُرفق أي ملف.
    [one] أُرفق ملف واحد.
    [two] أُرفق ملفان.
    [few] أُرفقت { $count } ملفات.
    [many] أُرفق { $count } ملفًا.
   *[other] أُرفق { $count } ملف.
}
attachments-kept = { $count ->
    [zero] لم يُحفظ أي ملف.
    [one] حُفظ ملف واحد، وسيُرسل مع المستند.
    [two] حُفظ ملفان، وسيُرسلان مع المستند.
    [few] حُفظت { $count } ملفات، وستُرسل مع المستند.
    [many] حُفظ { $count } ملفًا، وسيُرسل مع المستند.
   *[other] حُفظ { $count } ملف، وسيُرسل مع المستند.
}
attachments-sent = أُرفقت جميع الملفات.
attachment-limits = أفلت الملفات أو ألصقها هنا. حتى { $count } من الملفات، ولا يزيد كل منها على { $size }: { $types }.
attachment-waiting = لم يُرسل بعد
attachment-waiting-hint = تُحفظ الملفات التي لم تُرسل بعد على هذا الحاسوب مشفّرة، وتُرسل متى صار المستند لدى الخدمة.
attachment-unreadable = ملف تتعذر قراءته على هذا الحاسوب
files-without-document = ملفات بلا مستند
files-without-document-hint = لم تُرسل هذه الملفات، ولم تعد مستنداتها لدى الخدمة. احفظ ما تحتاج إليه منها، ثم أزلها.
files-without-document-remove-hint = هذا الملف على هذا الحاسوب فقط. احفظه أولًا إن كنت تحتاج إليه.
size-kb = { $size } ك.ب
size-mb = { $size } م.ب
attachment-problem-empty = الملف { $file } فارغ، ولم يُرفق.
attachment-problem-tooLarge = الملف { $file } كبير جدًا: لا يزيد المرفق على 2 م.ب، ولم يُرفق. صغّره أو قسّمه.
attachment-problem-tooMany = لم يُرفق { $file }: لا تزيد مرفقات المستند على 10. أزل واحدًا أو ادمج الملفات.
attachment-problem-otherType = لم يُرفق { $file }: يمكن أن تحتوي الفاتورة على ملفات PDF وPNG وJPEG وCSV وXLSX وODS. احفظه بإحدى هذه الصيغ.
attachment-problem-otherContent = لم يُرفق { $file }: محتواه ليس ما يدل عليه اسمه. احفظه مجددًا من البرنامج الذي جاء منه.
attachment-problem-name = لم يُرفق { $file }: اسمه فارغ أو طويل جدًا أو فيه محارف لا تصلح لأسماء الملفات. أعد تسميته.
error-attachment-closed = صدر هذا المستند، فلا تتغير مرفقاته بعد الآن. لم يتغير شيء منه.
error-attachment-content = لم تقبل الخدمة هذا الملف: محتواه ليس ما يدل عليه اسمه. احفظه مجددًا من البرنامج الذي جاء منه. لم يتغير شيء آخر.
action-attach = إرفاق ملفات بالمستندات
paper-save-english = حفظ ملف PDF بالإنجليزية
paper-save-arabic = حفظ ملف PDF بالعربية
paper-save-both = حفظ ملف PDF باللغتين
paper-save-ubl = حفظ البيانات بصيغة UBL
document-more = المزيد
