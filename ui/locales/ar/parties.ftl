### المشترون والأصناف المحفوظة، وأجل السداد، والمستندات التي قد تتكرر.

remembered-buyers = مشترون سبقت فوترتهم
remembered-items = أصناف سبقت فوترتها
buyer-filled = أُدخلت بيانات { $name }. يمكنك التراجع بـ Ctrl+Z.
item-filled = أُدخلت بيانات الصنف.
item-filled-last-price = أُدخلت بيانات الصنف بآخر سعر لهذا المشتري.
same-tax-id = { $name } له الرقم الضريبي نفسه.
use-known-buyer = استخدام بياناته
field-terms = أجل السداد
terms-hint = +30 أو نهاية الشهر أو نهاية الشهر+15
terms-result = يستحق في { $date }
terms-unreadable = اكتب عدد الأيام، مثل +30، أو نهاية الشهر.
due-date-set = تاريخ الاستحقاق: { $date }
similar-title = { $count ->
    [zero] هل سبقت فوترتها؟
    [one] هل سبقت فوترتها؟
    [two] هل سبقت فوترتها مرتين؟
    [few] هل سبقت فوترتها { $count } مرات؟
    [many] هل سبقت فوترتها { $count } مرة؟
   *[other] هل سبقت فوترتها { $count } مرة؟
}
similar-hint = للمشتري نفسه مستند بالمبلغ نفسه في هذه الأيام. لم يُرسل شيء بعد.
similar-back = العودة إلى النموذج
similar-save = حفظ مستند جديد
action-remember = حفظ بيانات هذا المشتري وهذه الأصناف
